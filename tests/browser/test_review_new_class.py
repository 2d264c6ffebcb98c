"""A class that the dataset lacks, added from the class search and from the grid."""

from __future__ import annotations

from tests.browser.watching import painted, press, saved, wait_past

HOSTILE = '<img src=x onerror="alert(1)"> :red[zebra] **x**'


def type_class(tab, text):
    tab.keyboard.press("t")
    field = tab.get_by_role("combobox", name="Any other class")
    field.fill(text)
    return field


def test_a_new_class_is_confirmed_stored_offered_to_others_and_taken_back(review):
    tab = review()
    first = painted(tab)
    type_class(tab, " Plains  zebra").press("Enter")
    question = tab.get_by_role("heading", name="Add “Plains zebra” as a new class?")
    question.wait_for()
    tab.get_by_text("The cleaned labels.csv gets its name").wait_for()
    tab.keyboard.press("x")  # while the question is open, no key decides
    tab.keyboard.press("Escape")
    question.wait_for(state="hidden")
    assert painted(tab) == first and not review.since()
    type_class(tab, "Plains zebra").press("Enter")
    tab.get_by_role("button", name="Add Plains zebra").click()
    wait_past(tab, first)
    tab.locator("[data-el=latest]").get_by_text("Plains zebra ✓").wait_for()
    saved(tab)
    assert review.store.current_decision(first).label_id == "new class: plains zebra"

    other = review(curator="olga")
    second = painted(other)
    type_class(other, "PLAINS Zebra")  # however it is spelled, it is the class that there is
    options = other.get_by_role("option")
    other.get_by_role("option", name="Plains zebra", exact=True).wait_for()
    assert options.count() == 1
    other.keyboard.press("Enter")  # without a question
    wait_past(other, second)
    saved(other)
    assert review.store.current_decision(second).label == "Plains zebra"
    other.keyboard.press("z")
    other.get_by_text(f"Took back: {second}, Plains zebra.").wait_for()
    saved(other)
    tab.keyboard.press("z")
    tab.wait_for_selector(f".stage[data-painted='{first}']")
    saved(tab)
    type_class(tab, "plains")  # nobody names it any more
    tab.get_by_role("option", name="Add “plains” as a new class").wait_for()
    assert tab.get_by_role("option").count() == 1


def test_a_class_of_the_dataset_is_offered_in_place_of_a_new_one(review):
    tab = review()
    painted(tab)
    type_class(tab, " DOG ")
    tab.get_by_role("option", name="dog", exact=True).wait_for()
    assert tab.get_by_role("option").count() == 1


def test_a_held_enter_does_not_answer_the_question(review):
    tab = review()
    shown = painted(tab)
    type_class(tab, "okapi")
    tab.keyboard.down("Enter")
    tab.get_by_role("heading", name="Add “okapi” as a new class?").wait_for()
    tab.keyboard.down("Enter")  # the key repeats
    tab.keyboard.up("Enter")
    assert tab.get_by_role("button", name="Add okapi").is_visible()
    assert painted(tab) == shown and not review.since()


def test_a_hostile_name_is_shown_as_it_is(review):
    tab = review()
    shown = painted(tab)
    type_class(tab, HOSTILE).press("Enter")
    tab.get_by_role("button", name=f"Add {HOSTILE}").click()
    wait_past(tab, shown)
    tab.locator("[data-el=latest]").get_by_text(f"{HOSTILE} ✓").wait_for()
    saved(tab)
    assert review.store.current_decision(shown).label == HOSTILE
    tab.keyboard.press("z")
    saved(tab)


def test_both_labels_may_be_the_given_one_and_a_new_class(review):
    tab = review()
    ids = [painted(tab)]
    type_class(tab, "Zebra").press("Enter")
    tab.get_by_role("button", name="Both cat and Zebra").click()
    wait_past(tab, ids[0])
    saved(tab)
    ids.append(painted(tab))
    type_class(tab, "zeb").press("Shift+Enter")  # it can be chosen by now, without a question
    wait_past(tab, ids[1])
    saved(tab)
    ids.append(painted(tab))
    type_class(tab, "eel")
    tab.get_by_role("option", name="eel").get_by_text("both").click()
    wait_past(tab, ids[2])
    saved(tab)
    found = [review.store.current_decision(each).labels for each in ids]
    assert found == [("cat", "Zebra"), ("cat", "Zebra"), ("cat", "eel")]
    shown = painted(tab)
    type_class(tab, "cat").press("Shift+Enter")
    tab.get_by_text("Ignored: the example has this label already").wait_for()
    assert painted(tab) == shown
    for _ in ids:
        tab.keyboard.press("z")
        saved(tab)


def test_the_grid_gives_many_both_their_label_and_a_new_class(review):
    tab = review(view="grid")
    tile = tab.locator(".tile").first
    shown = tile.get_attribute("data-id")
    tile.click()
    tab.keyboard.press("t")
    tab.get_by_role("checkbox", name="and the label that each has").check()
    tab.get_by_role("textbox", name="Class").fill("okapi")
    tab.get_by_role("button", name="Add “okapi” as a new class").click()
    words = "Give 1 example both their label and okapi"
    tab.get_by_role("heading", name=f"{words}, a new class?").wait_for()
    tab.get_by_role("button", name=words).click()
    saved(tab)
    assert review.store.current_decision(shown).labels == ("cat", "okapi")
    tab.keyboard.press("z")
    saved(tab)


def test_the_grid_sets_many_to_a_new_class_which_can_be_filtered_for(review):
    tab = review(view="grid")
    tiles = tab.locator(".tile")
    ids = [tiles.nth(place).get_attribute("data-id") for place in range(2)]
    for place in range(2):
        tiles.nth(place).click()
    tab.keyboard.press("t")
    tab.get_by_role("textbox", name="Class").fill("okapi")
    tab.get_by_role("button", name="Add “okapi” as a new class").click()
    tab.get_by_role("heading", name="Set 2 examples to okapi, a new class?").wait_for()
    tab.get_by_role("button", name="Set 2 examples to okapi").click()
    saved(tab)
    assert [review.store.current_decision(each).label for each in ids] == ["okapi"] * 2
    other = review(status="all", to="new class: okapi")
    other.get_by_text("relabelled to okapi").wait_for()
    assert painted(other) in ids
    press(other, "ArrowRight")
    assert painted(other) in ids
    tab.keyboard.press("z")
    saved(tab)
    assert not any(review.store.current_decision(each) for each in ids)
