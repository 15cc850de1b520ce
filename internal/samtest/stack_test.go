//go:build sam

package samtest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/redis/go-redis/v9"

	"laurel/internal/docker"
	"laurel/internal/sam"
	"laurel/internal/testserver"
	"laurel/shared/archive/table"
)

// A stack is what template.yaml describes, as far as it can be had on one machine.
type stack struct {
	root   string // of the repository
	engine *docker.Engine
	sam    *sam.Program
	laurel string // the command line, built

	image  string // what the functions run in: the official image, or a stand-in for it
	native processor

	redis    *redis.Client
	redisURL string
	table    table.Options

	builds    int
	built     string // where sam has built it for this machine
	variables string // the file of what sam sets in the functions' environment
}

// A processor is what a function is built for, by the names that sam, Go and ELF
// have for it.
type processor struct{ sam, golang string }

var (
	x86 = processor{sam: "x86_64", golang: "amd64"}
	arm = processor{sam: "arm64", golang: "arm64"}
)

// tableName is what local-env.json calls the archive. The server is the test's own.
const tableName = "laurel"

// TestStack goes through the stack in the order in which a person would: what is
// recorded first is read and archived later.
func TestStack(t *testing.T) {
	s := &stack{root: "../..", native: x86}
	if runtime.GOARCH == "arm64" {
		s.native = arm
	}
	s.bring(t)
	s.connect(t)
	for _, step := range []struct {
		name string
		test func(*testing.T, *stack)
	}{
		{"TemplateIsValid", templateIsValid},
		{"BothProcessorsBuild", bothProcessorsBuild},
		{"AChangeInSharedIsShipped", aChangeInSharedIsShipped},
		{"EverySampleEventIsAnswered", everySampleEventIsAnswered},
		{"TheAPIAnswers", theAPIAnswers},
		{"TheNightArchives", theNightArchives},
		{"TheBoardsAreTheLedgers", theBoardsAreTheLedgers},
	} {
		if !t.Run(step.name, func(t *testing.T) { step.test(t, s) }) {
			return // the next would only follow from that
		}
	}
}

// bring finds the programs and the image, and says which they are.
func (s *stack) bring(t *testing.T) {
	t.Helper()
	var err error
	if s.root, err = filepath.Abs(s.root); err != nil {
		t.Fatal(err)
	}
	if s.sam, err = sam.Find(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Log("sam:", s.sam)
	if s.engine, err = docker.Bring(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.engine.Stop)
	t.Log("engine:", s.engine)
	s.chooseImage(t)
	s.laurel = filepath.Join(t.TempDir(), "laurel")
	s.run(t, exec.CommandContext(t.Context(), "go", "build", "-o", s.laurel, "./cmd/laurel"))
}

// chooseImage takes the official base image, or makes a stand-in for it.
func (s *stack) chooseImage(t *testing.T) {
	t.Helper()
	s.image = "public.ecr.aws/lambda/provided:al2023-" + s.native.sam
	if s.engine.Has(t.Context(), s.image) {
		t.Log("image:", s.image)
		return
	}
	const repository = "laurel-standin/provided"
	s.image = repository + ":al2023-" + s.native.sam
	// What sam does on top of it takes these, and a function these directories.
	commands := []string{"sh", "mv", "chmod"}
	directories := []string{"opt", "tmp", "var", "var/rapid", "var/runtime", "var/task"}
	if err := s.engine.ImportShell(t.Context(), s.image, commands, directories); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.engine.Remove(context.WithoutCancel(t.Context()), s.image, repository+":rapid-"+s.native.sam); err != nil {
			t.Log(err)
		}
	})
	t.Log("image: the official one cannot be had; a stand-in with a static shell serves,", s.image)
}

// connect starts the stores, and writes down for sam where its containers find them.
func (s *stack) connect(t *testing.T) {
	t.Helper()
	server := testserver.OwnRedis(t)
	s.redis, s.redisURL = server.Client(), server.URL()
	t.Log("redis:", server.Addr())
	s.table = table.Options{
		Name: tableName, Endpoint: testserver.DynamoDB(t), Region: "eu-central-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}, nil // as sam.Command has them
		}),
	}
	if _, err := table.Open(t.Context(), s.table); err != nil {
		t.Fatal(err)
	}
	expose := func(addr string) string {
		address, err := s.engine.Expose(t.Context(), addr)
		if err != nil {
			t.Fatal(err)
		}
		return address
	}
	s.variables = filepath.Join(t.TempDir(), "variables.json")
	s.writeVariables(t, map[string]string{
		"REDIS_URL":         "redis://" + expose(server.Addr()),
		"DYNAMODB_ENDPOINT": "http://" + expose(strings.TrimPrefix(s.table.Endpoint, "http://")),
	})
}

// writeVariables writes the environment of local functions, as the repository has it
// for the containers of make up, with other addresses.
func (s *stack) writeVariables(t *testing.T, addresses map[string]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.root, "local-env.json"))
	if err != nil {
		t.Fatal(err)
	}
	var variables map[string]map[string]string
	if err := json.Unmarshal(text, &variables); err != nil {
		t.Fatal(err)
	}
	maps.Copy(variables["Parameters"], addresses)
	if text, err = json.Marshal(variables); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.variables, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// command is sam in the repository, or a copy of it, for a processor.
func (s *stack) command(t *testing.T, root string, p processor, arguments ...string) *exec.Cmd {
	t.Helper()
	environment := append(s.engine.Environment(), "LAMBDA_ARCH="+p.golang, "TMPDIR="+filepath.Dir(s.laurel))
	cmd := s.sam.Command(t.Context(), environment, arguments...)
	cmd.Dir = root
	return cmd
}

// local are the arguments that every sam local has here.
func (s *stack) local(arguments ...string) []string {
	return append(arguments,
		"--template", filepath.Join(s.built, "template.yaml"), "--parameter-overrides", "Architecture="+s.native.sam,
		"--env-vars", s.variables, "--docker-network", "bridge", "--skip-pull-image", "--invoke-image", s.image)
}

// run runs a command in the repository, unless it says where, and returns what it
// printed; what it complained comes with the failure.
func (s *stack) run(t *testing.T, cmd *exec.Cmd) (output []byte, complaints string) {
	t.Helper()
	if cmd.Dir == "" {
		cmd.Dir = s.root
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(cmd.Args, " "), err, output, stderr.String())
	}
	return output, stderr.String()
}
