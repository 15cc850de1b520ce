// The texts of actions by the rules, in the forum's words or else in those of the elements.

/** versionOf returns the version of the rules that holds on a day. */
export const versionOf = ({ versions }, day) => versions.filter((v) => !v.from || v.from <= day).at(-1) ?? {};

/** deed returns the text of an action done n times, by the rules' labels if there are any. */
export const deed = ({ say: { t, label } }, action, n, { labels } = {}) => {
  const unit = label(labels) ?? action.replaceAll("_", " ");
  return (!labels && t(action, { n })) || t("amount", { n, unit });
};
