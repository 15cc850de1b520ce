// What is in view of the demo page has something to show, pictures too.
(() => {
	const seen = [...document.querySelectorAll("#boards > section > :not(h2)")].filter(
		(e) => e.getBoundingClientRect().top < innerHeight - 2);
	const roots = seen.map((e) => e.shadowRoot);
	const pictures = [...document.images, ...roots.flatMap((r) => [...r?.querySelectorAll("img") ?? []])];
	return seen.length > 1 && roots.every((r) => r?.querySelector(".board :not(:empty)")) &&
		document.querySelector("article") != null &&
		pictures.every((i) => i.complete || !i.offsetWidth || i.getBoundingClientRect().top > innerHeight);
})()
