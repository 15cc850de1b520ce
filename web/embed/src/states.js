// What an element says in place of what it cannot show.

/** stateOf returns the word for an error. */
export const stateOf = ({ status, problem }) => {
  const code = problem?.code;
  if (status === 401 || (status === 403 && !code)) return "login"; // API Gateway's has no code
  return { filling: "filling", unknown_board: "unknown", days_private: "secret" }[code] ??
    (status > 399 && status < 429 ? "failed" : "busy");
};

/** passing are the states that are over by themselves. A page has one sentence for them, whatever is on it. */
export const passing = /busy|filling/;
