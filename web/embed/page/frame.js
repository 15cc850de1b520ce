// Reads the page of a frame again every 5 minutes while it is seen, and shows what is new. A reader's place,
// focus and selection stay: until they are gone, nothing changes.
const read = async () => {
  const main = document.querySelector("main");
  if (document.hidden || main.contains(document.activeElement) || !getSelection().isCollapsed) return;
  try {
    const answer = await fetch(location.href);
    const next = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
    const shown = next && next.querySelector("main");
    if (!shown || shown.innerHTML === main.innerHTML) return;
    document.querySelector("style").replaceWith(next.querySelector("style")); // which has the rules of this page alone
    main.replaceWith(shown);
  } catch {} // the next time
};
setInterval(read, 300e3);

// What is over by itself is read again after 5 seconds, and then after longer.
const again = async (pause) => {
  if (!document.querySelector("[data-again]")) return;
  await read();
  setTimeout(again, pause, Math.min(2 * pause, 300e3));
};
setTimeout(again, 5e3, 1e4);
