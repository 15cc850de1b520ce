package httpapi

import (
	"context"
	"net/http"
	"reflect"
	"strings"
	"sync"

	"laurel/shared/api/wire"
)

// A route is an operation of the API, as far as the server acts by it. The OpenAPI document, openapi.json, says the
// rest of it to people; tests hold the two against each other.
type route struct {
	id      string // as the document and measurements name it
	pattern string // method and path, as ServeMux takes them
	access  access
	cache   string // how long others keep answers that depend on the address alone; "": not at all
	body    any    // a value of the body's type; nil: no body
	empty   bool   // the body may be left out, and is {} then
	most    int64  // bytes of the body; 0: maxBody
	status  int    // of success, unless the answer has its own; 0: 200
	private bool   // it answers by all rules; else by those that guests see
	ownID   bool   // it takes the ids of the path and the caller as they are, also a merged user's
	handler
}

// Paths of reads of boards. Under the private ones are the same reads of all boards, those for members included.
const (
	boardsPath   = "/v1/boards"
	privatePath  = "/v1/private"
	pairPattern  = "/v1/users/{user}/voids/{other}"
	mergePattern = "/v1/users/{user}/merge"
)

// behindToken returns the operation that answers a public read by all rules, to callers with a token.
func (o route) behindToken() route {
	_, path, _ := strings.Cut(o.pattern, " /v1")
	verb, rest, _ := strings.Cut(o.id, "-")
	o.id, o.pattern, o.private, o.cache = verb+"-private-"+rest, "GET "+privatePath+path, true, ""
	if o.access == forAll {
		o.access = forCaller
	}
	return o
}

// maxBody is how many bytes a body may have unless the route has another limit.
const maxBody = 256 << 10

// recordRoutes are the operations that change something.
func recordRoutes() []route {
	return []route{
		{
			id: "report-activities", pattern: "POST /v1/activities", access: forCaller, ownID: true,
			body: wire.Report{}, handler: by((*api).report),
		},
		{
			id: "put-void", pattern: "PUT /v1/targets/{target}/void", access: forService,
			body: wire.TargetVoid{}, empty: true, handler: by((*api).putVoid),
		},
		{
			id: "delete-void", pattern: "DELETE /v1/targets/{target}/void", access: forService,
			handler: by((*api).deleteVoid),
		},
		{
			id: "put-void-pair", pattern: "PUT " + pairPattern, access: forService,
			body: wire.VoidPair{}, empty: true, handler: by((*api).putVoidPair),
		},
		{
			id: "delete-void-pair", pattern: "DELETE " + pairPattern, access: forService,
			status: http.StatusNoContent, handler: by((*api).deleteVoidPair),
		},
		{
			id: "post-merge", pattern: "POST " + mergePattern, access: forService, ownID: true,
			body: wire.Merge{}, status: http.StatusAccepted, handler: by((*api).merge),
		},
		{
			id: "queue-activities", pattern: "POST /v1/queue/activities", access: forCaller, ownID: true,
			body: wire.Report{}, status: http.StatusAccepted, handler: by((*api).enqueue),
		},
		{
			id: "post-hook", pattern: "POST /v1/hooks/{source}", access: forAll,
			body: wire.Hook{}, most: MaxHook, handler: by((*api).hook),
		},
		{
			id: "put-categories", pattern: "PUT /v1/hooks/discourse/categories", access: forService,
			body: wire.PublicCategories{}, handler: by((*api).putCategories),
		},
		{
			id: "put-users", pattern: "PUT /v1/users", access: forService,
			body: wire.ProfileList{}, handler: by((*api).putProfiles),
		},
		{
			id: "put-user", pattern: "PUT /v1/users/{user}", access: forService,
			body: wire.PutProfile{}, handler: by((*api).putProfile),
		},
		{
			id: "delete-user", pattern: "DELETE /v1/users/{user}", access: forService, ownID: true,
			status: http.StatusAccepted, handler: by((*api).erase),
		},
		{
			id: "put-exclusion", pattern: "PUT /v1/users/{user}/exclusion", access: forService,
			body: wire.Exclusion{}, empty: true, handler: by((*api).putExclusion),
		},
		{
			id: "delete-exclusion", pattern: "DELETE /v1/users/{user}/exclusion", access: forService,
			handler: by((*api).deleteExclusion),
		},
		{
			id: "post-award", pattern: "POST /v1/users/{user}/awards", access: forService,
			body: wire.Award{}, handler: by((*api).postAward),
		},
		{
			id: "delete-award", pattern: "DELETE /v1/users/{user}/awards/{id}", access: forService,
			handler: by((*api).deleteAward),
		},
		{
			id: "put-following", pattern: "PUT /v1/users/{user}/following", access: forUser,
			body: wire.FollowList{}, handler: by((*api).follow),
		},
		{
			id: "put-visibility", pattern: "PUT /v1/users/{user}/visibility", access: forUser,
			body: wire.Visibility{}, handler: by((*api).putVisibility),
		},
		{
			id: "post-article", pattern: "POST /v1/articles", access: forService,
			body: wire.NewArticle{}, handler: by((*api).postArticle),
		},
		{
			id: "put-article", pattern: "PUT /v1/articles/{id}", access: forService,
			body: wire.ArticleDetails{}, handler: by((*api).putArticle),
		},
		{
			id: "delete-article", pattern: "DELETE /v1/articles/{id}", access: forService,
			handler: by((*api).deleteArticle),
		},
		{id: "pair", pattern: "POST " + PairPath, access: forAll, body: wire.Pair{}, handler: by((*api).pair)},
	}
}

// boardRoutes are the reads of boards, and of people's places on them, that are there for guests and with a token.
func boardRoutes() []route {
	return []route{
		{
			id: "list-boards", pattern: "GET /v1/boards", access: forAll, cache: cacheStatic,
			handler: by((*api).boardList),
		},
		{
			id: "read-board-windows", pattern: "GET /v1/boards/{board}", access: forAll, cache: cacheLive,
			handler: by((*api).boardWindows),
		},
		{
			id: "read-board", pattern: "GET /v1/boards/{board}/{window}", access: forAll, cache: cacheLive,
			handler: by((*api).boardPage),
		},
		{
			id: "list-periods", pattern: "GET /v1/boards/{board}/{window}/periods", access: forAll, cache: cacheLive,
			handler: by((*api).periods),
		},
		{
			id: "list-winners", pattern: "GET /v1/boards/{board}/{window}/winners", access: forAll, cache: cacheLive,
			handler: by((*api).winners),
		},
		{
			id: "read-standing", pattern: "GET /v1/boards/{board}/{window}/users/{user}", access: forAll, cache: cacheLive,
			handler: by((*api).standing),
		},
		{
			id: "read-friends", pattern: "GET /v1/boards/{board}/{window}/users/{user}/friends", access: forUser,
			handler: by((*api).friends),
		},
		{
			id: "read-wreaths", pattern: "GET /v1/users/{user}/wreaths", access: forAll, cache: cacheLive,
			handler: by((*api).wreaths),
		},
	}
}

// queryRoutes are the operations that read.
func queryRoutes() []route {
	routes := boardRoutes()
	for _, o := range boardRoutes() {
		routes = append(routes, o.behindToken())
	}
	return append(routes, otherReads()...)
}

// otherReads are the operations that read anything but boards.
func otherReads() []route {
	return []route{
		{
			id: "read-user", pattern: "GET /v1/users/{user}", access: forAll, cache: cacheLive,
			handler: by((*api).profile),
		},
		{
			id: "read-private-user", pattern: "GET /v1/private/users/{user}", access: forService,
			handler: by((*api).privateProfile),
		},
		{
			id: "read-days", pattern: "GET /v1/users/{user}/days", access: forAll, cache: cacheLive,
			handler: by((*api).days),
		},
		{id: "read-activity", pattern: "GET /v1/users/{user}/activity", access: forUser, handler: by((*api).activity)},
		{id: "read-entries", pattern: "GET /v1/users/{user}/entries", access: forUser, handler: by((*api).keptEntries)},
		{
			id: "read-standings", pattern: "GET /v1/users/{user}/standings", access: forUser,
			handler: by((*api).standings),
		},
		{id: "read-awards", pattern: "GET /v1/users/{user}/awards", access: forUser, handler: by((*api).awards)},
		{id: "read-votes", pattern: "GET /v1/users/{user}/votes", access: forUser, handler: by((*api).votes)},
		{
			id: "read-following", pattern: "GET /v1/users/{user}/following", access: forUser,
			handler: by((*api).following),
		},
		{
			id: "read-visibility", pattern: "GET /v1/users/{user}/visibility", access: forUser,
			handler: by((*api).visibility),
		},
		{
			id: "read-exclusion", pattern: "GET /v1/users/{user}/exclusion", access: forUser,
			handler: by((*api).exclusion),
		},
		{id: "export-user", pattern: "GET /v1/users/{user}/export", access: forUser, handler: by((*api).export)},
		{
			id: "read-erasure", pattern: "GET /v1/users/{user}/erasure", access: forService, ownID: true,
			handler: by((*api).erasure),
		},
		{
			id: "read-merge", pattern: "GET " + mergePattern, access: forService, ownID: true,
			handler: by((*api).mergeOf),
		},
		{id: "read-void-pair", pattern: "GET " + pairPattern, access: forService, handler: by((*api).readVoidPair)},
		{id: "read-void", pattern: "GET /v1/targets/{target}/void", access: forService, handler: by((*api).void)},
		{
			id: "read-articles", pattern: "GET /v1/articles", access: forAll, cache: cacheLive,
			handler: by((*api).articleList),
		},
		{
			id: "read-article", pattern: "GET /v1/articles/{id}", access: forAll, cache: cacheLive,
			handler: by((*api).article),
		},
		{id: "read-groups", pattern: "GET /v1/groups", access: forAll, cache: cacheLive, handler: by((*api).groups)},
		{
			id: "read-categories", pattern: "GET /v1/hooks/discourse/categories", access: forService,
			handler: by((*api).categories),
		},
		{id: "read-rules", pattern: "GET /v1/rules", access: forAll, cache: cacheStatic, handler: by((*api).rules)},
		{
			id: "read-private-rules", pattern: "GET /v1/private/rules", access: forService, private: true,
			handler: by((*api).rules),
		},
		{id: "read-record", pattern: "GET /v1/record", access: forService, handler: by((*api).acts)},
		{id: "read-status", pattern: "GET /v1/status", access: forService, handler: by((*api).status)},
	}
}

// healthRoute is in every part.
func healthRoute() route {
	return route{id: "read-health", pattern: "GET /v1/health", access: forAll, handler: by((*api).health)}
}

// A handler is the function of an operation, and its types.
type handler struct {
	parameters func() []parameter
	answer     reflect.Type
	call       func(a *api, ctx context.Context, fill func(in any)) (any, error)
}

// by returns the handler that calls a function with the parameters of a request, which the fields of an I are.
func by[I, T any](handle func(*api, context.Context, *I) (T, error)) handler {
	return handler{
		parameters: sync.OnceValue(func() []parameter { return parametersOf(reflect.TypeFor[I](), nil) }),
		answer:     reflect.TypeFor[T](),
		call: func(a *api, ctx context.Context, fill func(in any)) (any, error) {
			var in I
			fill(&in)
			answer, err := handle(a, ctx, &in)
			return answer, err
		},
	}
}

// register adds operations to the mux.
func (a *api) register(routes ...route) {
	for i := range routes {
		o := &routes[i]
		a.handle(o.pattern, o.cache != "", func(w http.ResponseWriter, r *http.Request) { a.run(o, w, r) })
	}
}

// handle adds a handler to the mux.
func (a *api) handle(pattern string, public bool, handler http.HandlerFunc) {
	a.public[pattern] = public
	a.mux.HandleFunc(pattern, handler)
}
