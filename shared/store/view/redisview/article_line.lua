-- Shared by scripts that rank articles, and prefixed to them: the one place that reads an article's line (articles.go).
--
-- KEYS and
-- ARGV are the script's
-- Returns nothing, as the script continues
local LINE = '^(%d+)\t(%-?%d+)\t(%-?%d+)\t(%d)\t(%x+)\t[^\t]*\t(.*)$'

-- Returns the article of a line, of revision 0 if there is no line; lists as text, and as a set in `on`
local function parse(line)
  local article = {revision = 0, lists = '', on = {}}
  local revision, seconds, own, open, age, lists = string.match(line or '', LINE)
  if not revision then return article end
  article.revision = tonumber(revision)
  article.seconds = tonumber(seconds)
  article.own = tonumber(own)
  article.open = open == '1'
  article.age = age
  article.lists = lists
  for group in string.gmatch(lists, '\31([^\31]*)') do
    article.on[group] = true
  end
  return article
end

-- Returns the score of an article on hot lists, as text; worth is of a vote, in seconds
local function hot_score(article, votes, worth)
  return string.format('%.0f', -(article.seconds + worth * (article.own + votes)))
end
