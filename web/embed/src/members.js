// Boards for members: where the public list lacks a board that the page names, the member's token reads it.
const guest = { status: 401 }; // who has no token may have to log in
const unknown = { status: 404, problem: { code: "unknown_board" } };

/** forMembers lets an element read boards for members. */
export const forMembers = (prototype) => {
  const { readOf } = prototype;
  Object.defineProperties(prototype, Object.getOwnPropertyDescriptors({
    /** _private is the beginning of the addresses of a board for members. */
    get _private() {
      return this._members === this.boardName && this.bearer ? "private/" : "";
    },

    path(window) {
      return `${this._private}boards/${this.boardName}/${window}`;
    },

    readOf(url, mine, by) {
      return readOf.call(this, url, mine || url.includes("/v1/private/"), by);
    },

    get wantsBoards() {
      if (this.answers.boards && !this.listed && this.given("board")) {
        if (!this.bearer) throw guest;
        if (this._private) throw unknown;
        this._members = this.boardName;
        delete this.answers.boards;
        delete this.errors.page;
      }
      return { boards: [this.address(`${this._private}boards`), Infinity] };
    },

    /** stateOf waits for the list before it says that there is no such board. */
    stateOf(error) {
      const { answers, errors } = this;
      const early = error !== unknown && !answers.boards && !errors.boards && this.given("board");
      return error.problem?.code === "unknown_board" && early ? "" : Object.getPrototypeOf(prototype).stateOf.call(this, error);
    },
  }));
};
