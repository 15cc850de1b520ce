package articles

import (
	_ "embed"

	"laurel/shared/redisstore"
)

//go:embed read_articles.lua
var readSource string

//go:embed forget.lua
var forgetSource string

//go:embed set_authors.lua
var authorsSource string

//go:embed vote.lua
var voteSource string

// scripts are the scripts of articles, hashed once.
type scripts struct{ read, forget, authors, vote *redisstore.Script }

func newScripts() scripts {
	return scripts{
		read:    redisstore.NewScript(readSource),
		forget:  redisstore.NewScript(forgetSource),
		authors: redisstore.NewScript(authorsSource),
		vote:    redisstore.NewScript(voteSource),
	}
}
