// All elements of a page have something to show.
[...document.querySelectorAll("*")].filter((e) => e.localName.startsWith("laurel-")).every(
	(e) => e.shadowRoot?.querySelector(".board > :not([name=error])"))
