package house

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The files of the stack.
const (
	templateFile = "template.yaml"
	localFile    = "local-env.json" // what sam local puts in the place of the template's variables
)

// A stack is what the checks look at in the template. Functions of CloudFormation
// such as !Ref are read as what they are given.
type stack struct {
	Metadata struct {
		Interface struct {
			ParameterGroups []struct {
				Parameters []string `yaml:"Parameters"`
			} `yaml:"ParameterGroups"`
		} `yaml:"AWS::CloudFormation::Interface"`
	} `yaml:"Metadata"`
	Parameters map[string]map[string]any `yaml:"Parameters"`
	Globals    struct {
		Function struct {
			Environment struct {
				Variables map[string]any `yaml:"Variables"`
			} `yaml:"Environment"`
		} `yaml:"Function"`
	} `yaml:"Globals"`
	Resources map[string]resource `yaml:"Resources"`
}

type resource struct {
	Type       string    `yaml:"Type"`
	Properties yaml.Node `yaml:"Properties"`
}

func readStack(tree fs.FS) (stack, error) {
	var s stack
	text, err := fs.ReadFile(tree, templateFile)
	if err != nil {
		return s, err
	}
	err = yaml.Unmarshal(text, &s)
	return s, err
}

// A route is what API Gateway does with a method and a path.
type route struct {
	function string // the logical id; queue for what goes onto the queue
	public   bool   // nobody asks for a token
}

const queue = "the queue"

// Routes checks that the template routes every operation of the OpenAPI document
// to the function that serves it, asks for a token where the operation does, and
// routes nothing else but the document itself.
func Routes(tree fs.FS, document []byte) (faults []string, err error) {
	s, err := readStack(tree)
	if err != nil {
		return nil, err
	}
	got, err := s.routes()
	if err != nil {
		return nil, err
	}
	described, err := operations(document)
	if err != nil {
		return nil, err
	}
	want := map[string]route{"GET /openapi.json": {"QueryFunction", true}, queueRoute: {queue, false}}
	for key, o := range described {
		want[key] = o.route(key)
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if _, there := got[key]; !there {
			faults = append(faults, fmt.Sprintf("%s does not route %s", templateFile, key))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got)) {
		is, should := got[key], want[key]
		switch {
		case should == route{}:
			faults = append(faults, fmt.Sprintf("%s routes %s, which is no operation", templateFile, key))
		case is.function != should.function:
			faults = append(faults, fmt.Sprintf("%s routes %s to %s and not to %s", templateFile, key, is.function, should.function))
		case is.public && !should.public:
			faults = append(faults, fmt.Sprintf("%s lets everybody call %s", templateFile, key))
		case !is.public && should.public:
			faults = append(faults, fmt.Sprintf("%s asks for a token at %s, which is for all", templateFile, key))
		}
	}
	return faults, nil
}

const queueRoute = "POST /v1/queue/activities"

// routes lists the template's own: the functions' events, and what the API's
// definition has.
func (s stack) routes() (map[string]route, error) {
	all := map[string]route{}
	for name, r := range s.Resources {
		switch r.Type {
		case "AWS::Serverless::Function":
			var f struct {
				Events map[string]struct {
					Type       string `yaml:"Type"`
					Properties struct {
						Method string `yaml:"Method"`
						Path   string `yaml:"Path"`
						Auth   struct {
							Authorizer string `yaml:"Authorizer"`
						} `yaml:"Auth"`
					} `yaml:"Properties"`
				} `yaml:"Events"`
			}
			if err := r.Properties.Decode(&f); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			for _, e := range f.Events {
				if e.Type == "HttpApi" {
					all[strings.ToUpper(e.Properties.Method)+" "+e.Properties.Path] = route{name, e.Properties.Auth.Authorizer == "NONE"}
				}
			}
		case "AWS::Serverless::HttpApi":
			var a struct {
				Definition struct {
					Paths map[string]map[string]struct {
						Security    []map[string][]string `yaml:"security"`
						Integration struct {
							Subtype string `yaml:"integrationSubtype"`
						} `yaml:"x-amazon-apigateway-integration"`
					} `yaml:"paths"`
				} `yaml:"DefinitionBody"`
			}
			if err := r.Properties.Decode(&a); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			for path, item := range a.Definition.Paths {
				for method, o := range item {
					function := "nothing"
					if o.Integration.Subtype == "SQS-SendMessage" {
						function = queue
					}
					all[strings.ToUpper(method)+" "+path] = route{function, len(o.Security) == 0}
				}
			}
		}
	}
	return all, nil
}

// An operation is what the checks look at in the OpenAPI document.
type operation struct {
	ID       string                `json:"operationId"`
	Security []map[string][]string `json:"security"`
}

// operations are those of the document, by method and path.
func operations(document []byte) (map[string]operation, error) {
	var d struct {
		Paths map[string]map[string]operation `json:"paths"`
	}
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, fmt.Errorf("the OpenAPI document: %w", err)
	}
	all := map[string]operation{}
	for path, item := range d.Paths {
		for method, o := range item {
			all[strings.ToUpper(method)+" "+path] = o
		}
	}
	return all, nil
}

// route is what should become of an operation.
func (o operation) route(key string) route {
	method, _, _ := strings.Cut(key, " ")
	switch {
	case key == queueRoute:
		return route{queue, false}
	case method == "GET":
		return route{"QueryFunction", len(o.Security) == 0}
	default:
		return route{"RecordFunction", len(o.Security) == 0}
	}
}
