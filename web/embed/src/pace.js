// How often a page reads again, with any number of elements: a member's page some 125 times in an hour, a
// guest's 55. Owners who ask for a refresh of less than a minute have it.

let most = 20; // reads that need not wait
let left = most;
let each = 12e4; // ms for one that waits
let since = Date.now();

/** pause takes a read, or returns how many ms there are until the next one. */
export const pause = () => {
  left = Math.min(most, left + (Date.now() - since) / each);
  since = Date.now();
  if (left < 1) return (1 - left) * each + 1;
  left--;
};

/** signed says that the page is a member's. */
export const signed = () => {
  left += 40 - most;
  most = 40;
  each = 51e3;
};
