package house

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

const module = "laurel/"

var pure = []string{"shared/activity", "shared/article", "shared/board", "shared/codec", "shared/ledger"}

// A direction says what the packages at and under some paths may import of this
// repository, and what of anything else they may not. Their tests are free.
type direction struct {
	packages []string
	may      []string // paths at or under the root; a package may always import what is under itself
	not      []string // import paths, with what is under them
	onlyStd  bool
	why      string
}

// directions are tried in order; the first with a package is the one. A package
// under shared/ has to be in it, so that somebody thinks of its place.
var directions = []direction{{
	packages: pure,
	may:      pure,
	not:      []string{"net", "os", "log", "syscall", "database", "testing"},
	onlyStd:  true,
	why:      "the rules are functions of values and can be tested as a table: they know no store, no network, no environment",
}, {
	packages: []string{"shared/deadline"},
	onlyStd:  true,
	why:      "a deadline is a matter of contexts and clocks",
}, {
	packages: []string{"shared/config"},
	may:      pure,
	why:      "the environment is read once, for all, and decides nothing else",
}, {
	packages: []string{"shared/strictjson", "shared/report"},
	may:      append([]string{"shared/strictjson"}, pure...),
	not:      []string{"net", "os", "github.com/redis", "github.com/aws", "github.com/danielgtaylor"},
	why:      "what is wrong with a report is the same over HTTP and from the queue; it knows neither, and no store",
}, {
	packages: []string{"shared/metrics"},
	may:      []string{},
	onlyStd:  true,
	why:      "measuring is for all, so it knows none of them",
}, {
	packages: []string{"shared/queue"},
	may:      append([]string{"shared/deadline", "shared/live", "shared/metrics", "shared/report", "shared/strictjson"}, pure...),
	not:      []string{"github.com/redis", "github.com/aws/aws-sdk-go-v2", "os", "net"},
	why:      "the queue is another way in beside HTTP: messages come as events, reports are judged elsewhere, the store records",
}, {
	packages: []string{"shared/live/iam"},
	not:      []string{"github.com/redis", "github.com/aws/aws-sdk-go-v2/config", "github.com/aws/aws-sdk-go-v2/service", "github.com/aws/aws-lambda-go"},
	why:      "it signs what it is handed, on the way of a cold start",
}, {
	packages: []string{"shared/live"},
	may:      pure,
	not:      []string{"github.com/aws/aws-sdk-go-v2/config", "github.com/aws/aws-sdk-go-v2/service", "github.com/aws/aws-lambda-go"},
	why:      "Redis moves bytes and does not know DynamoDB, nor who asks; AWS's config package costs a cold start",
}, {
	packages: []string{"shared/archive/table"},
	may:      append([]string{"shared/archive", "shared/config"}, pure...),
	not:      []string{"github.com/redis", "github.com/aws/aws-lambda-go", "github.com/aws/aws-sdk-go-v2/config", "go.etcd.io"},
	why:      "DynamoDB moves bytes and does not know Redis, nor who asks; AWS's config package costs a cold start",
}, {
	packages: []string{"shared/archive/embedded"},
	may:      append([]string{"shared/archive"}, pure...),
	not:      []string{"github.com/redis", "github.com/aws"},
	why:      "the file moves bytes, as the table does",
}, {
	packages: []string{"shared/archive"},
	may:      append([]string{"shared/people"}, pure...),
	not:      []string{"github.com/redis", "github.com/aws", "go.etcd.io", "net"},
	why:      "the format is known to functions that have no table: what moves its bytes is in packages of its own",
}, {
	packages: []string{"shared/httpapi"},
	may:      append([]string{"shared/erasure", "shared/deadline", "shared/config", "shared/live", "shared/archive", "shared/people", "shared/metrics", "shared/report", "shared/strictjson"}, pure...),
	why:      "requests and replies use the stores and do not know which function they are in",
}, {
	packages: []string{"shared/nightly"},
	may:      append([]string{"shared/live", "shared/archive"}, pure...),
	not:      []string{"github.com/redis", "github.com/aws", "os", "net"},
	why:      "the nightly run decides the order of steps; the stores do them",
}, {
	packages: []string{"shared/function"},
	may:      append([]string{"shared/config", "shared/live", "shared/httpapi", "shared/metrics"}, pure...),
	not:      []string{"github.com/aws/aws-sdk-go-v2/config", "github.com/aws/aws-sdk-go-v2/service"},
	why:      "every function links it, also one without a table",
}, {
	packages: []string{"shared/erasure"},
	may:      append([]string{"shared/archive", "shared/live"}, pure...),
	not:      []string{"github.com/redis", "github.com/aws", "os", "net"},
	why:      "it decides the order in which a user goes from the stores; they do it",
}, {
	packages: []string{"shared/vault"},
	may:      append([]string{"shared/archive", "shared/live", "shared/people", "shared/erasure"}, pure...),
	not:      []string{"github.com/redis", "github.com/aws", "os", "net"},
	why:      "it says which part works on which store, for all programs",
}, {
	packages: []string{"shared/people"},
	may:      pure,
	not:      []string{"github.com/redis", "github.com/aws", "os", "net/http"},
	why:      "it decides where names come from and where they go; the stores are handed in",
}, {
	packages: []string{"shared/importer"},
	may:      append([]string{"shared/archive", "shared/live"}, pure...),
	not:      []string{"github.com/aws", "net"},
	why:      "it turns rows into activities; the stores are handed in",
}, {
	packages: []string{"shared/localserver"},
	may:      append([]string{"shared/httpapi", "shared/queue"}, pure...),
	not:      []string{"github.com/aws/aws-sdk-go-v2"},
	why:      "it serves what the functions serve; the stores are handed in",
}, {
	packages: []string{"shared"},
	why:      "a new package under shared/ needs a line in internal/house/imports.go that says its place and why",
}, {
	packages: []string{"functions"},
	may:      []string{"shared"},
	why:      "a function is deployed alone: what two of them need is in shared/",
}, {
	packages: []string{"cmd"},
	may:      []string{"shared", "functions", "internal", "web", "events"},
	why:      "the command line runs everything; nothing imports it",
}, {
	packages: []string{"internal"},
	may:      []string{"internal", "shared"},
	why:      "internal is for tests and tools",
}}

// testsOnly is what nothing but tests may import.
var testsOnly = []string{"internal/redistest", "internal/dynamotest", "shared/archive/archivetest"}

// Imports checks who imports whom.
func Imports(tree fs.FS) (faults []string, err error) {
	parsed, err := sources(tree)
	if err != nil {
		return nil, err
	}
	for _, file := range parsed {
		if file.test() {
			continue
		}
		for _, spec := range file.syntax.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file.path, err)
			}
			if why := forbidden(file.dir(), imported); why != "" {
				faults = append(faults, fmt.Sprintf("%s imports %s: %s", file.path, imported, why))
			}
		}
	}
	return faults, nil
}

// forbidden says why a package may not import a path, or nothing.
func forbidden(dir, imported string) string {
	local, ours := strings.CutPrefix(imported, module)
	if ours && slices.ContainsFunc(testsOnly, covers(local)) {
		return "it is for tests alone"
	}
	i := slices.IndexFunc(directions, func(d direction) bool { return slices.ContainsFunc(d.packages, covers(dir)) })
	if i < 0 {
		if ours {
			return "only what is under shared, functions, cmd and internal imports of this repository"
		}
		return ""
	}
	d := directions[i]
	allowed := !slices.ContainsFunc(d.not, covers(imported))
	if ours {
		allowed = under(local, dir) || slices.ContainsFunc(d.may, covers(local)) || slices.ContainsFunc(d.packages, func(p string) bool {
			return p != "shared" && p != "functions" && under(dir, p) && under(local, p)
		})
	} else if d.onlyStd {
		first, _, _ := strings.Cut(imported, "/")
		allowed = allowed && !strings.Contains(first, ".")
	}
	if allowed {
		return ""
	}
	return d.why
}

// covers is whether a path of a table is the given one or above it.
func covers(given string) func(string) bool {
	return func(above string) bool { return under(given, above) }
}

func under(given, above string) bool {
	return given == above || strings.HasPrefix(given, above+"/")
}
