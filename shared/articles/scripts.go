package articles

import (
	_ "embed"

	"laurel/shared/redisstore"
)

//go:embed article_create.lua
var articleCreateSource string

//go:embed article_put.lua
var articlePutSource string

//go:embed article_leave.lua
var articleLeaveSource string

//go:embed article_settle.lua
var articleSettleSource string

//go:embed article_disown.lua
var articleDisownSource string

//go:embed article_forget.lua
var articleForgetSource string

//go:embed article_list.lua
var articleListSource string

//go:embed article_get.lua
var articleGetSource string

//go:embed article_authors.lua
var articleAuthorsSource string

//go:embed vote.lua
var voteSource string

// scripts are the scripts of articles, hashed once.
type scripts struct {
	create, put, leave, settle *redisstore.Script
	disown, forget, vote       *redisstore.Script
	list, get, authors         *redisstore.Script
}

func newScripts() scripts {
	return scripts{
		create:  redisstore.NewScript(articleCreateSource),
		put:     redisstore.NewScript(articlePutSource),
		leave:   redisstore.NewScript(articleLeaveSource),
		settle:  redisstore.NewScript(articleSettleSource),
		disown:  redisstore.NewScript(articleDisownSource),
		forget:  redisstore.NewScript(articleForgetSource),
		vote:    redisstore.NewScript(voteSource),
		list:    redisstore.NewScript(articleListSource),
		get:     redisstore.NewScript(articleGetSource),
		authors: redisstore.NewScript(articleAuthorsSource),
	}
}
