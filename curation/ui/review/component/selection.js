// Which examples of the grid are selected. Nothing here knows a screen, so node can test it.

/** @typedef {{ id: string }} Selectable */

export class Selection {
  constructor() {
    /** @type {Set<string>} */
    this.ids = new Set();
    this.everything = false; // all that match, also those on other pages
    this.focused = 0; // the place of the keyboard's focus
    this.anchor = 0; // where a range begins
  }

  /** @param {string} id */
  has(id) {
    return this.everything || this.ids.has(id);
  }

  clear() {
    this.ids.clear();
    this.everything = false;
  }

  /** @param {number} place */
  moveTo(place) {
    this.focused = this.anchor = place;
  }

  /**
   * Take in another list. What has left the same page is no longer selected; what is selected on
   * other pages stays so.
   * @param {Selectable[]} list
   * @param {Selectable[]} before the list of the same page, if one was shown
   */
  accept(list, before) {
    const here = new Set(list.map(({ id }) => id));
    for (const { id } of before) if (!here.has(id)) this.ids.delete(id);
    this.focused = Math.max(0, Math.min(this.focused, list.length - 1));
    this.anchor = Math.min(this.anchor, this.focused);
  }

  /**
   * Return what is selected on this page, as ids of its own.
   * @param {Selectable[]} list
   */
  onPage(list) {
    return new Set(this.everything ? list.map(({ id }) => id) : this.ids);
  }

  /**
   * From here on one by one: of all that match, those on this page stay selected.
   * @param {Selectable[]} list
   */
  narrow(list) {
    this.ids = this.onPage(list);
    this.everything = false;
  }

  /**
   * @param {Selectable[]} list
   * @param {number} place
   */
  toggle(list, place) {
    const tile = list[place];
    if (!tile) return;
    this.narrow(list);
    if (!this.ids.delete(tile.id)) this.ids.add(tile.id);
    this.anchor = place;
  }

  /**
   * @param {Selectable[]} list
   * @param {number} from
   * @param {number} to
   */
  addRange(list, from, to) {
    this.narrow(list);
    for (let place = Math.min(from, to); place <= Math.max(from, to); place++)
      this.ids.add(list[place].id);
  }

  /** @param {Selectable[]} list */
  addPage(list) {
    this.everything = false;
    for (const { id } of list) this.ids.add(id);
  }
}
