package live

import (
	"context"
	_ "embed"
	"strings"

	"github.com/redis/go-redis/v9"
)

//go:embed commit.lua
var commitSource string

//go:embed close.lua
var closeSource string

//go:embed read_board.lua
var readBoardSource string

//go:embed read_around.lua
var readAroundSource string

// What scripts that write answer, as DONE and CHANGED. A commit that finds
// something else answers with what is there instead of scriptChanged.
const (
	scriptDone    int64 = 1 // it is written, now or before
	scriptChanged int64 = 0 // something else is there than what was read
)

// scripts are the store's scripts, hashed once.
type scripts struct {
	commit, close, readBoard, readAround *redis.Script
	removeBoard, removePages, putBack    *redis.Script
	setProfiles, dropProfiles            *redis.Script
	settle, erase                        *redis.Script
	readFriends, readFollowing, readAway *redis.Script
}

func newScripts() scripts {
	return scripts{
		commit:     redis.NewScript(commitSource),
		close:      redis.NewScript(closeSource),
		readBoard:  redis.NewScript(readBoardSource),
		readAround: redis.NewScript(readAroundSource),

		removeBoard: redis.NewScript(removeBoardSource),
		removePages: redis.NewScript(removePagesSource),
		putBack:     redis.NewScript(putBackSource),

		setProfiles:   redis.NewScript(setProfilesSource),
		dropProfiles:  redis.NewScript(dropProfilesSource),
		settle:        redis.NewScript(settleSource),
		erase:         redis.NewScript(eraseSource),
		readFriends:   redis.NewScript(readFriendsSource),
		readFollowing: redis.NewScript(readFollowingSource),
		readAway:      redis.NewScript(readAwaySource),
	}
}

// call is one run of a script: what goes in, and the command that answers.
type call struct {
	script *redis.Script
	keys   []string
	args   []any
	cmd    *redis.Cmd
}

// run runs scripts, all in one pipeline. A server that does not know one (it was
// restarted, or its cache was flushed) gets those again with their text: an
// exception of one round trip. Errors are the calls' own, in their cmd.
func (s *Store) run(ctx context.Context, calls []*call) {
	s.runBeside(ctx, calls, func(redis.Pipeliner) {})
}

// runBeside is run with other commands in the same pipeline.
func (s *Store) runBeside(ctx context.Context, calls []*call, others func(redis.Pipeliner)) {
	pipe := s.client.Pipeline()
	if others(pipe); len(calls)+pipe.Len() == 0 {
		return
	}
	for _, c := range calls {
		c.cmd = c.script.EvalSha(ctx, pipe, c.keys, c.args...)
	}
	_, _ = pipe.Exec(ctx)

	pipe = s.client.Pipeline()
	for _, c := range calls {
		if isNoScript(c.cmd.Err()) {
			c.cmd = c.script.Eval(ctx, pipe, c.keys, c.args...)
		}
	}
	if pipe.Len() > 0 {
		_, _ = pipe.Exec(ctx)
	}
}

func isNoScript(err error) bool {
	return err != nil && strings.HasPrefix(err.Error(), "NOSCRIPT")
}
