package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/aws/smithy-go/encoding/cbor"

	"laurel/internal/harness"
	"laurel/shared/operate"
)

// A cloud answers as the services of AWS do for one stack, each in its protocol.
type cloud struct {
	*testing.T
	forum   *harness.Forum
	url     string // of the API
	status  string // of the stack
	outputs map[string]string
	alarms  int      // of the stack
	raised  []string // of them
	waiting string   // in the dead-letter queue
	denied  string   // the operation that is
	asked   []string
}

func newAWS(t *testing.T, api string) *cloud {
	t.Helper()
	a := &cloud{
		T: t, forum: harness.NewForum(t, harness.Setup{}), url: api, status: "CREATE_COMPLETE", alarms: 150, waiting: "0",
	}
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	a.outputs = map[string]string{
		"ApiUrl": api, "ArchiveFunctionName": "laurel-archive",
		"DeadLettersUrl": server.URL + "/1/dead",
	}
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": server.URL, "AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "laurel",
		"AWS_SECRET_ACCESS_KEY": "laurel", "AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull,
	} {
		t.Setenv(name, value)
	}
	return a
}

// ServeHTTP answers one request.
func (a *cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		a.Error(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	answers := map[string]func(*http.Request, []byte) (kind, answer string){
		"DescribeStacks": a.stacks, "ListStackResources": a.resources, "DescribeAlarms": a.describeAlarms,
		"GetQueueAttributes": a.attributes, "invocations": a.invocation,
	}
	operation := r.FormValue("Action") + strings.TrimPrefix(r.Header.Get("X-Amz-Target"), "AmazonSQS.")
	if operation == "" {
		operation = r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	}
	a.asked = append(a.asked, operation)
	answer, known := answers[operation]
	switch {
	case !known:
		a.Errorf("it asks for %s %s", operation, r.URL)
	case operation == a.denied:
		w.Header().Set("Smithy-Protocol", "rpc-v2-cbor")
		w.Header().Set("Content-Type", "application/cbor")
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write(cbor.Encode(cbor.Map{"__type": cbor.String("AccessDenied"), "message": cbor.String("not allowed")}))
	default:
		if strings.HasSuffix(r.URL.Path, "/DescribeAlarms") {
			w.Header().Set("Smithy-Protocol", "rpc-v2-cbor")
		}
		kind, text := answer(r, body)
		w.Header().Set("Content-Type", kind)
		_, _ = io.WriteString(w, text)
	}
}

func (a *cloud) stacks(r *http.Request, _ []byte) (kind, answer string) {
	if name := r.FormValue("StackName"); name != "laurel-test" {
		a.Errorf("the stack %s", name)
	}
	var outputs strings.Builder
	for key, value := range a.outputs {
		fmt.Fprintf(&outputs, "<member><OutputKey>%s</OutputKey><OutputValue>%s</OutputValue></member>", key, value)
	}
	return "text/xml", fmt.Sprintf(`<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/">
		<DescribeStacksResult><Stacks><member><StackName>laurel-test</StackName><StackStatus>%s</StackStatus>
		<Outputs>%s</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`, a.status, outputs.String())
}

// resources answers in pages of 100.
func (a *cloud) resources(r *http.Request, _ []byte) (kind, answer string) {
	first, next := 0, "<NextToken>more</NextToken>"
	if r.FormValue("NextToken") == "more" {
		first, next = 100, ""
	}
	var all strings.Builder
	all.WriteString("<member><ResourceType>AWS::SQS::Queue</ResourceType></member>")
	for i := first; i < min(first+100, a.alarms); i++ {
		fmt.Fprintf(&all, "<member><ResourceType>AWS::CloudWatch::Alarm</ResourceType>"+
			"<PhysicalResourceId>laurel-test-alarm-%d</PhysicalResourceId></member>", i)
	}
	return "text/xml", `<ListStackResourcesResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/">
		<ListStackResourcesResult><StackResourceSummaries>` + all.String() + "</StackResourceSummaries>" + next +
		"</ListStackResourcesResult></ListStackResourcesResponse>"
}

// describeAlarms answers with those of the named alarms that are raised.
func (a *cloud) describeAlarms(_ *http.Request, body []byte) (kind, answer string) {
	request, err := cbor.Decode(body)
	if err != nil {
		a.Error(err)
	}
	asked := request.(cbor.Map)
	names := asked["AlarmNames"].(cbor.List)
	if asked["StateValue"] != cbor.String("ALARM") || len(names) > 100 {
		a.Errorf("%d alarms of the state %v", len(names), asked["StateValue"])
	}
	var found cbor.List
	for _, name := range names {
		if slices.Contains(a.raised, string(name.(cbor.String))) {
			found = append(found, cbor.Map{"AlarmName": name, "StateValue": cbor.String("ALARM")})
		}
	}
	return "application/cbor", string(cbor.Encode(cbor.Map{"MetricAlarms": found, "CompositeAlarms": cbor.List{}}))
}

func (a *cloud) attributes(_ *http.Request, body []byte) (kind, answer string) {
	if !strings.Contains(string(body), "/1/dead") {
		a.Errorf("the queue %s", body)
	}
	return "application/x-amz-json-1.0", `{"Attributes":{"ApproximateNumberOfMessages":"` + a.waiting + `"}}`
}

// invocation does what the archive function does.
func (a *cloud) invocation(r *http.Request, body []byte) (kind, answer string) {
	if !strings.Contains(r.URL.Path, "/functions/laurel-archive/") || !strings.Contains(string(body), `"dryRun":true`) {
		a.Errorf("%s: %s", r.URL, body)
	}
	reply, err := operate.Serve(r.Context(), a.forum.App, a.forum.Now, body)
	if err != nil {
		a.Error(err)
	}
	text, err := json.Marshal(reply)
	if err != nil {
		a.Error(err)
	}
	return "application/json", string(text)
}

// A stack after a deployment is found by its name, and tested with all that it has.
func TestDoctorOfAStack(t *testing.T) {
	const service = "service-secret-service-secret-service"
	file := fileOf(t, "SERVICE_SECRETS="+service+"\n")
	a := newAWS(t, served(t, file))
	for name, c := range map[string]struct {
		change func()
		code   int
		want   []string
	}{
		"all is well": {func() {}, exitDone, []string{
			"ok health", "ok hidden user laurel-doctor-", "ok records", "ok reads", "ok queue", "ok erasure",
			"ok stack CREATE_COMPLETE", "ok archive function it answers: 0 steps are due",
			"ok alarms none of 150 is raised", "ok dead letters 0 messages",
		}},
		"not well": {
			func() {
				a.status, a.waiting = "UPDATE_ROLLBACK_COMPLETE", "3"
				a.raised = []string{"laurel-test-alarm-7", "laurel-test-alarm-149"}
			},
			exitFound,
			[]string{
				"failure stack UPDATE_ROLLBACK_COMPLETE", "failure alarms raised: alarm-7, alarm-149",
				"failure dead letters 3 messages", "ok erasure",
			},
		},
		"not allowed": {
			func() { a.denied = "DescribeAlarms" }, exitFound,
			[]string{"failure alarms", "AccessDenied", "docs/deploy.md lists the permissions", "ok dead letters"},
		},
		"no dead letters": {
			func() { delete(a.outputs, "DeadLettersUrl") }, exitDone,
			[]string{"skipped dead letters the output DeadLettersUrl: not named"},
		},
	} {
		was := *a
		a.outputs = maps.Clone(was.outputs)
		c.change()
		out, errs, code := laurel(t, "", "doctor", "--stack", "laurel-test", "--secret-file", file)
		if code != c.code || errs != "" {
			t.Errorf("%s: %d, %s%s", name, code, out, errs)
		}
		for _, want := range c.want {
			if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
				t.Errorf("%s: no %q in\n%s", name, want, out)
			}
		}
		a.status, a.raised, a.waiting, a.denied, a.outputs = was.status, was.raised, was.waiting, was.denied, was.outputs
	}
	a.denied = "DescribeStacks"
	if _, errs, code := laurel(t, "", "doctor", "--stack", "laurel-test"); code != exitFound ||
		!strings.Contains(errs, "stack laurel-test: ") {
		t.Errorf("a stack that cannot be seen: %d, %s", code, errs)
	}
}
