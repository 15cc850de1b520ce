// A page's nodes, changed in place: selection, focus and a reader's place
// survive.

/**
 * h describes an element. Text is never HTML. An attribute is removed by null or false; p is
 * class and part at once, key says which element stays which, on... and with a dot: properties.
 */
export const h = (tag, { p, ...attributes }, ...children) => ({ t: tag, a: p ? { class: p, part: p, ...attributes } : attributes, c: children.flat(9) });

/** patch makes the children of a node those that are described. */
export const patch = (parent, children) => {
  const wanted = children.filter((c) => c || c === 0);
  const keys = new Map(wanted.map((c) => [c.a?.key]));
  for (const child of [...parent.childNodes]) {
    if (child.key == null) continue;
    if (keys.has(child.key)) keys.set(child.key, child);
    else child.remove();
  }
  let at = parent.firstChild;
  for (const c of wanted) {
    let node = at;
    if (c.t) {
      const { key, ...attributes } = c.a;
      node = key == null ? node?.localName === c.t && node.key == null && node : keys.get(key);
      node ||= document.createElementNS(c.t === "svg" ? "http://www.w3.org/2000/svg" : (parent.host ?? parent).namespaceURI, c.t);
      node.key = key;
      for (const [name, value] of Object.entries(attributes)) {
        if (name[0] === "." || name.startsWith("on")) node[name.replace(".", "")] = value;
        else if (value == null || value === false) node.removeAttribute(name);
        else if (node.getAttribute(name) !== `${value}`) node.setAttribute(name, value);
      }
      patch(node, c.c);
    } else {
      if (node?.nodeType !== 3) node = new Text();
      if (node.data !== `${c}`) node.data = c;
    }
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
};
