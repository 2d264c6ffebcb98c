import numpy as np
import pytest

from curation.analysis.class_order import CLASS_ORDERS, order_classes


@pytest.mark.parametrize("order", CLASS_ORDERS)
@pytest.mark.parametrize("m", [2, 3, 10, 300])
def test_every_class_comes_once(order, m):
    joint = np.random.default_rng(m).dirichlet(np.ones(m * m)).reshape(m, m)
    assert sorted(order_classes(joint, order)) == list(range(m))


def test_noisiest_class_comes_first_and_empty_ones_last():
    joint = np.array([[0.3, 0.1, 0], [0, 0, 0], [0.3, 0, 0.3]])
    assert order_classes(joint, "noise").tolist() == [2, 0, 1]


def test_confusable_classes_are_next_to_each_other():
    joint = np.eye(6) / 10
    for a, b in ((0, 3), (1, 4), (2, 5)):
        joint[a, b] = joint[b, a] = 0.4 / 6
    order = order_classes(joint, "similar").tolist()
    for a, b in ((0, 3), (1, 4), (2, 5)):
        assert abs(order.index(a) - order.index(b)) == 1
