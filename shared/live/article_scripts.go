package live

import (
	_ "embed"

	"github.com/redis/go-redis/v9"
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

// articleScripts are the scripts of articles, hashed once.
type articleScripts struct {
	create, put, leave, settle *redis.Script
	disown, forget, vote       *redis.Script
	list, get, authors         *redis.Script
}

func newArticleScripts() articleScripts {
	return articleScripts{
		create:  redis.NewScript(articleCreateSource),
		put:     redis.NewScript(articlePutSource),
		leave:   redis.NewScript(articleLeaveSource),
		settle:  redis.NewScript(articleSettleSource),
		disown:  redis.NewScript(articleDisownSource),
		forget:  redis.NewScript(articleForgetSource),
		vote:    redis.NewScript(voteSource),
		list:    redis.NewScript(articleListSource),
		get:     redis.NewScript(articleGetSource),
		authors: redis.NewScript(articleAuthorsSource),
	}
}
