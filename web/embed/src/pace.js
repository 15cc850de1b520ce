// How often a page reads again, whatever is on it, however many elements: a member's page at most some 125 times in
// an hour, a guest's 55. Owners who ask for a refresh of less than a minute have it.

let guest = true;
let since = Date.now();
let left = 20; // reads that need not wait

/** pause takes a read, or returns how many ms there are until the next one. */
export const pause = () => {
  const each = 36e5 / (guest ? 30 : 70);
  left = Math.min(guest ? 20 : 40, left + (Date.now() - since) / each);
  since = Date.now();
  if (left < 1) return Math.ceil((1 - left) * each) + 1;
  left--;
};

/** signed says that the page is a member's. */
export const signed = () => {
  if (guest) left += 20;
  guest = false;
};
