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
	"sync"

	"github.com/aws/smithy-go/encoding/cbor"

	"laurel/internal/harness"
	"laurel/shared/run/operate"
)

// alarmsOfStack is the number of the stack's alarms, of which CloudFormation lists 100 in a page.
const alarmsOfStack = 150

// A cloud answers as the services of AWS do for one stack, each in its protocol.
type cloud struct {
	mu     sync.Mutex // one request at a time
	forum  *harness.Forum
	values map[string]string // the state of AWS, and the operation that it denies
	stack  *deployed
	url    string
	api    string
	log    func(format string, args ...any)
}

// cloud [NAME=VALUE...]: the environment names an AWS with a stack laurel-test, whose API is the server at $URL. Each
// value is the cloud's, or that of the stack's parameter, from now on.
func (s *script) cloud(args []string) {
	if s.aws == nil {
		s.aws = &cloud{
			forum: harness.NewForum(s.tb, harness.Setup{}), stack: newDeployed(s.tb), api: s.Getenv("URL"), log: s.tb.Errorf,
			values: map[string]string{
				"status": "CREATE_COMPLETE", "waiting": "0", "account": `{"ConcurrentExecutions":1000}`,
				"ann": "arn:sns:1", "bob": "arn:sns:2", "users": "the-users\ntwo", "recorded": "the-users two",
				"service": "the-services-secret-of-tests-of-32-bytes",
			},
		}
		server := httptest.NewServer(s.aws)
		s.tb.Cleanup(server.Close)
		s.aws.url = server.URL
		for name, value := range map[string]string{
			"AWS_ENDPOINT_URL": server.URL, "AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "laurel",
			"AWS_SECRET_ACCESS_KEY": "laurel", "AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull,
		} {
			s.Setenv(name, value)
		}
	}
	s.aws.mu.Lock()
	defer s.aws.mu.Unlock()
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		if _, known := s.aws.stack.values[name]; known {
			s.aws.stack.values[name] = value
		} else {
			s.aws.values[name] = value
		}
	}
}

// ServeHTTP answers one request.
func (a *cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		a.log("%v", err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	answers := map[string]func(*http.Request, []byte) (kind, answer string){
		"ListMetrics": a.metrics, "ListSubscriptionsByTopic": a.subscriptions,
		"DescribeStacks": a.stacks, "UpdateStack": a.update, "ListStackResources": a.resources, "DescribeAlarms": a.alarms,
		"account-settings": a.limits, "GetQueueAttributes": a.attributes, "invocations": a.invocation,
		"configuration": a.configuration, "GetSecretValue": a.secret, "PutSecretValue": a.putSecret,
	}
	target := r.Header.Get("X-Amz-Target") // service.Operation
	operation := r.FormValue("Action") + target[strings.LastIndexByte(target, '.')+1:]
	if operation == "" {
		operation = r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	}
	answer, known := answers[operation]
	switch {
	case !known:
		a.log("it asks for %s %s", operation, r.URL)
	case operation == a.values["denied"]:
		w.Header().Set("Smithy-Protocol", "rpc-v2-cbor")
		w.Header().Set("Content-Type", "application/cbor")
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write(cbor.Encode(cbor.Map{"__type": cbor.String("AccessDenied"), "message": cbor.String("not allowed")}))
	default:
		if strings.Contains(r.URL.Path, "/operation/") {
			w.Header().Set("Smithy-Protocol", "rpc-v2-cbor")
		}
		kind, text := answer(r, body)
		w.Header().Set("Content-Type", kind)
		if strings.HasPrefix(text, "<ErrorResponse") {
			w.WriteHeader(http.StatusBadRequest)
		}
		_, _ = io.WriteString(w, text)
	}
}

// answered returns the answer of an action of CloudFormation.
func answered(action, text string) (kind, answer string) {
	return "text/xml", fmt.Sprintf(`<%[1]sResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/">`+
		`<%[1]sResult>%[2]s</%[1]sResult></%[1]sResponse>`, action, text)
}

func (a *cloud) stacks(r *http.Request, _ []byte) (kind, answer string) {
	switch name := r.FormValue("StackName"); name {
	case "laurel-test":
	case a.values["root"]:
		return answered("DescribeStacks", "<Stacks><member><StackName>"+name+"</StackName></member></Stacks>")
	default:
		a.log("the stack %s", name)
	}
	var outputs strings.Builder
	for key, value := range map[string]string{
		"ApiUrl": a.api, "ArchiveFunctionName": "laurel-archive", "AlarmTopicArn": "arn:topic",
		"DeadLettersUrl": a.url + "/1/dead",
	} {
		if slices.Contains(strings.Fields(a.values["unnamed"]), key) {
			continue
		}
		fmt.Fprintf(&outputs, "<member><OutputKey>%s</OutputKey><OutputValue>%s</OutputValue></member>", key, value)
	}
	root := ""
	if a.values["root"] != "" {
		root = "<RootId>" + a.values["root"] + "</RootId>"
	}
	return answered("DescribeStacks", "<Stacks><member><StackName>laurel-test</StackName><StackStatus>"+a.values["status"]+
		"</StackStatus><StackStatusReason>"+a.values["why"]+"</StackStatusReason><Outputs>"+outputs.String()+
		"</Outputs>"+root+a.stack.described()+"</member></Stacks>")
}

// resources answers in pages of 100.
func (*cloud) resources(r *http.Request, _ []byte) (kind, answer string) {
	first, next := 0, "<NextToken>more</NextToken>"
	if r.FormValue("NextToken") == "more" {
		first, next = 100, ""
	}
	var all strings.Builder
	all.WriteString("<member><ResourceType>AWS::SQS::Queue</ResourceType></member>")
	if first == 0 {
		for _, name := range []string{"authorize", "query", "record"} {
			all.WriteString("<member><ResourceType>AWS::Lambda::Function</ResourceType>" +
				"<PhysicalResourceId>laurel-test-" + name + "</PhysicalResourceId></member>")
		}
	}
	for i := first; i < min(first+100, alarmsOfStack); i++ {
		name := map[int]string{apiFails: "ApiFailsAlarm"}[i]
		fmt.Fprintf(&all, "<member><ResourceType>AWS::CloudWatch::Alarm</ResourceType><LogicalResourceId>%s"+
			"</LogicalResourceId><PhysicalResourceId>laurel-test-alarm-%d</PhysicalResourceId></member>", name, i)
	}
	return answered("ListStackResources", "<StackResourceSummaries>"+all.String()+"</StackResourceSummaries>"+next)
}

// alarms answers with the raised ones among the named alarms.
func (a *cloud) alarms(_ *http.Request, body []byte) (kind, answer string) {
	request, err := cbor.Decode(body)
	if err != nil {
		a.log("%v", err)
	}
	asked := request.(cbor.Map)
	names := asked["AlarmNames"].(cbor.List)
	if len(names) > 100 {
		a.log("%d alarms", len(names))
	}
	var found cbor.List
	for _, name := range names {
		state, named := "OK", string(name.(cbor.String))
		if slices.Contains(strings.Fields(a.values["raised"]), named) {
			state = "ALARM"
		}
		metric := cbor.Map{"Namespace": cbor.String("AWS/Lambda"), "MetricName": name}
		alarm := cbor.Map{"AlarmName": name, "StateValue": cbor.String(state)}
		if strings.HasSuffix(named, "9") { // it computes
			alarm["Metrics"] = cbor.List{cbor.Map{"Id": cbor.String("m"), "MetricStat": cbor.Map{
				"Metric": metric, "Period": cbor.Uint(300), "Stat": cbor.String("Sum"),
			}}}
		} else {
			maps.Copy(alarm, metric)
		}
		found = append(found, alarm)
	}
	return "application/cbor", string(cbor.Encode(cbor.Map{"MetricAlarms": found, "CompositeAlarms": cbor.List{}}))
}

// metrics answers with one metric of each alarm, except silent ones.
func (a *cloud) metrics(_ *http.Request, body []byte) (kind, answer string) {
	request, err := cbor.Decode(body)
	if err != nil {
		a.log("%v", err)
	}
	name := request.(cbor.Map)["MetricName"].(cbor.String)
	found := cbor.List{}
	if !slices.Contains(strings.Fields(a.values["silent"]), string(name)) {
		found = append(found, cbor.Map{"MetricName": name})
	}
	return "application/cbor", string(cbor.Encode(cbor.Map{"Metrics": found}))
}

// subscriptions answers with the addresses that are subscribed.
func (a *cloud) subscriptions(r *http.Request, _ []byte) (kind, answer string) {
	if topic := r.FormValue("TopicArn"); topic != "arn:topic" {
		a.log("the topic %s", topic)
	}
	var members strings.Builder
	for _, name := range []string{"ann", "bob"} {
		if arn := a.values[name]; arn != "" {
			fmt.Fprintf(&members, "<member><Endpoint>%s@example.com</Endpoint><SubscriptionArn>%s</SubscriptionArn></member>",
				name, arn)
		}
	}
	return "text/xml", `<ListSubscriptionsByTopicResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/">` +
		"<ListSubscriptionsByTopicResult><Subscriptions>" + members.String() +
		"</Subscriptions></ListSubscriptionsByTopicResult></ListSubscriptionsByTopicResponse>"
}

// configuration answers with the environment of a function.
func (a *cloud) configuration(r *http.Request, _ []byte) (kind, answer string) {
	switch name := strings.Split(r.URL.Path, "/")[3]; name {
	case "laurel-test-query":
		return "application/json", `{}`
	case "laurel-test-authorize":
		return "application/json", fmt.Sprintf(`{"Environment":{"Variables":{"USER_SECRETS":%q,"SERVICE_SECRETS":%q}}}`,
			a.values["users"], a.values["service"])
	default:
		return "application/json", fmt.Sprintf(`{"Environment":{"Variables":{"USER_SECRETS":%q,"EVENT_SECRETS":""}}}`,
			a.values["recorded"])
	}
}

// limits answers with those of the account.
func (a *cloud) limits(*http.Request, []byte) (kind, answer string) {
	return "application/json", `{"AccountLimit":` + a.values["account"] + `}`
}

func (a *cloud) attributes(_ *http.Request, body []byte) (kind, answer string) {
	if !strings.Contains(string(body), "/1/dead") {
		a.log("the queue %s", body)
	}
	return "application/x-amz-json-1.0", fmt.Sprintf(`{"Attributes":{"ApproximateNumberOfMessages":%q}}`,
		a.values["waiting"])
}

// secret answers with the stack's secret, and putSecret keeps another.
func (a *cloud) secret(_ *http.Request, body []byte) (kind, answer string) {
	text, _ := json.Marshal(a.values["secret"])
	if !strings.Contains(string(body), `"SecretId":"laurel/tokens"`) {
		a.log("the secret %s", body)
	}
	return "application/x-amz-json-1.1", `{"Name":"laurel/tokens","SecretString":` + string(text) + `}`
}

func (a *cloud) putSecret(_ *http.Request, body []byte) (kind, answer string) {
	put := map[string]string{}
	if err := json.Unmarshal(body, &put); err != nil {
		a.log("%v", err)
	}
	a.values["secret"] = put["SecretString"]
	return "application/x-amz-json-1.1", `{"Name":"laurel/tokens","VersionId":"version-2"}`
}

// invocation does the work of the archive function.
func (a *cloud) invocation(r *http.Request, body []byte) (kind, answer string) {
	text, err := operate.Serve(r.Context(), a.forum.App, body)
	if err != nil || !strings.Contains(r.URL.Path, "/functions/laurel-archive/") {
		a.log("%s: %s, %v", r.URL, body, err)
	}
	return "application/json", string(text)
}
