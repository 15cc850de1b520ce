-- Shared by scripts that rank articles, and prefixed to them: the one place that reads an article's line (articles.go).
--
-- KEYS and
-- ARGV are the script's
-- Returns nothing, as the script continues

-- Returns the article of a line, of revision 0 if there is no line; lists as text, and as a set in `on`
local function parse(line)
  local pattern = '^(%d+)\t(%-?%d+)\t(%-?%d+)\t(%d)\t(%x+)\t[^\t]*\t(.*)$'
  local revision, seconds, own, open, age, lists = string.match(line or '', pattern)
  if not revision then return {revision = 0, lists = '', on = {}} end
  local on = {}
  for group in string.gmatch(lists, '\31([^\31]*)') do on[group] = true end
  return {
    revision = tonumber(revision),
    seconds = tonumber(seconds),
    own = tonumber(own),
    open = open == '1',
    age = age,
    lists = lists,
    on = on,
  }
end

-- Returns the score of an article on hot lists, as text; worth is of a vote, in seconds
local function hot_score(article, votes, worth)
  return string.format('%.0f', -(article.seconds + worth * (article.own + votes)))
end
