// Command quick writes out a template of sam for CloudFormation itself, which knows no names (&name, *name, <<) and
// takes a function's code from a bucket alone: for quick-create links, Terraform and CDK.
//
//	go run ./internal/quick stack/template.yaml laurel/v1.2.3-arm64/ > stack/quick.yaml
//
// The template's functions have zips for CodeUri, as in a release. One parameter more names the bucket that has these,
// under names that begin as the second argument says: another release's begin otherwise, or CloudFormation would not
// see that they differ.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "quick:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: quick TEMPLATE PREFIX")
	}
	text, err := os.ReadFile(args[0]) //nolint:gosec // the file that the command line names
	if err != nil {
		return err
	}
	written, err := quick(text, args[1])
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(written)
	return err
}

// parameter is the one that the template has more.
const parameter = `
CodeBucket:
  Description: The bucket, in the same region, with the release
  Type: String
  AllowedPattern: ^[a-z0-9.-]{3,63}$
`

// code is a function's code in the bucket.
const code = `
Bucket: !Ref CodeBucket
Key: %s%s
`

// quick writes a template out, with functions whose names in the bucket begin with the prefix.
func quick(template []byte, prefix string) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(template, &document); err != nil {
		return nil, err
	}
	root := whole(document.Content[0])
	more, err := parsed(parameter)
	if err != nil {
		return nil, err
	}
	all := below(root, "Parameters")
	if all == nil {
		return nil, errors.New("the template has no Parameters")
	}
	all.Content = append(more.Content, all.Content...)
	resources := below(root, "Resources")
	for i := 1; resources != nil && i < len(resources.Content); i += 2 {
		if uri := below(below(resources.Content[i], "Properties"), "CodeUri"); uri != nil {
			in, err := parsed(fmt.Sprintf(code, prefix, uri.Value))
			if err != nil || !strings.HasSuffix(uri.Value, ".zip") {
				return nil, errors.Join(fmt.Errorf("CodeUri %q is not that of a release", uri.Value), err)
			}
			*uri = *in
		}
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	err = encoder.Encode(root)
	return out.Bytes(), err
}

func parsed(text string) (*yaml.Node, error) {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		return nil, err
	}
	return document.Content[0], nil
}

// below returns the value of a key, nil if there is none.
func below(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; mapping != nil && mapping.Kind == yaml.MappingNode && i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// whole returns a copy of a node without names and comments: each name has given way to its node.
func whole(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return whole(n.Alias)
	}
	own := &yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value}
	if n.Kind != yaml.MappingNode {
		for _, c := range n.Content {
			own.Content = append(own.Content, whole(c))
		}
		return own
	}
	var merged []*yaml.Node
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], whole(n.Content[i+1])
		if key.Tag == "!!merge" || key.Value == "<<" {
			merged = append(merged, value)
			continue
		}
		own.Content = append(own.Content, whole(key), value)
	}
	for _, m := range merged {
		for i := 0; i < len(m.Content); i += 2 {
			if below(own, m.Content[i].Value) == nil {
				own.Content = append(own.Content, m.Content[i], m.Content[i+1])
			}
		}
	}
	return own
}
