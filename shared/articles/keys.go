package articles

import (
	"slices"
	"strconv"
	"strings"

	"laurel/shared/article"
	"laurel/shared/redisstore"
)

// Keys of articles, all under one hash tag, since lists order all of them. Like
// those of a shard, none has a TTL.
//
//	laurel:{articles}:pages              hash  id -> page (package article draws it); byte 0 -> mark of the stamp
//	laurel:{articles}:votes              hash  id -> number of votes
//	laurel:{articles}:voters:<id>        hash  user -> vote, until the votes are final
//	laurel:{articles}:hot                zset  member -> minus the score
//	laurel:{articles}:new                zset  member -> minus the moment of publishing
//	laurel:{articles}:group:<group>:hot  zset  likewise, of a group
//	laurel:{articles}:group:<group>:new  zset
//	laurel:{articles}:groups             hash  group -> number of articles, above 0
//	laurel:{articles}:voting             zset  id -> moment of publishing: whose voters are kept
//	laurel:{articles}:gone               zset  id -> moment: deleted, or on the way to the archive
//	laurel:{articles}:by:<author>        set   ids of the author's articles, the gone ones too
//	laurel:{articles}:wrote              hash  id -> author, of who is shown
//	laurel:{articles}:authors            hash  author -> copy of the profile
//	laurel:{articles}:erased             hash  user, hashed -> moment of the erasure
//
// What an article shows is in hashes of all articles and not in one of its own:
// a script that reads a list knows its articles only then, and has to declare its
// keys before.
const (
	articlePrefix = redisstore.KeyPrefix + "articles}:"

	articlePages   = redisstore.ArticlesKey
	articleVotes   = articlePrefix + "votes"
	articleGroups  = articlePrefix + "groups"
	articleVoting  = articlePrefix + "voting"
	articleGone    = articlePrefix + "gone"
	articleWrote   = articlePrefix + "wrote"
	articleAuthors = articlePrefix + "authors"
	articleErased  = articlePrefix + "erased"
)

func votersKey(id string) string { return articlePrefix + "voters:" + id }

func authoredKey(author string) string { return articlePrefix + "by:" + author }

// IsKey says whether a key has the form of one of the above.
func IsKey(key string) bool {
	name, ours := strings.CutPrefix(key, articlePrefix)
	kind, of, owned := strings.Cut(name, ":")
	switch {
	case !ours:
		return false
	case !owned:
		return slices.Contains([]string{
			"pages", "votes", "groups", "voting", "gone", "wrote", "authors", "erased",
			string(article.Hot), string(article.New),
		}, kind)
	case kind == "group":
		i := strings.LastIndexByte(of, ':') // a group's name may have more
		return i > 0 && slices.Contains([]article.Sort{article.Hot, article.New}, article.Sort(of[i+1:]))
	default:
		return (kind == "voters" || kind == "by") && of != ""
	}
}

// listKey is the list of a group, or of all articles.
func listKey(by article.Sort, group string) string {
	if group == "" {
		return articlePrefix + string(by)
	}
	return articlePrefix + "group:" + group + ":" + string(by)
}

// hotLists are the hot lists that an article is on.
func hotLists(p article.Page) []string {
	if !p.Listed() {
		return nil
	}
	keys := make([]string, 0, 1+len(p.Groups))
	keys = append(keys, listKey(article.Hot, ""))
	for _, g := range p.Groups {
		keys = append(keys, listKey(article.Hot, g))
	}
	return keys
}

func number(n int64) string { return strconv.FormatInt(n, 10) }
