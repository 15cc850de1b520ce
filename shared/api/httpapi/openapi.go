package httpapi

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"laurel/shared/core/activity"
)

// openAPI is the OpenAPI document without the parts that follow from the rules. Its version is of the operations: their
// addresses carry its first number. Tests hold it against the routes, the types of bodies and answers, and real
// requests and answers.
//
//go:embed openapi.json
var openAPI []byte

// keywords are those of a schema.
type keywords = map[string]any

// describe returns the OpenAPI document with the boards and the actions of some rules.
func describe(rules *activity.Rules) []byte {
	var document keywords
	if err := json.Unmarshal(openAPI, &document); err != nil { // it depends on nothing but this package
		panic(fmt.Sprintf("httpapi: the OpenAPI document: %v", err))
	}
	components, _ := document["components"].(keywords)
	schemas, _ := components["schemas"].(keywords)
	schema := func(name string) keywords { s, _ := schemas[name].(keywords); return s }
	forms := actionForms(rules)
	for name, words := range map[string][]string{
		"BoardName": rules.Boards(), "ActionName": slices.Sorted(maps.Keys(forms)),
	} {
		if len(words) > 0 { // an enum has a value
			schema(name)["enum"] = words
		}
	}
	describeForms(schema("ReportedActivity"), forms)
	return marshal(document)
}

// An actionForm has the demands of the rules on the fields of an activity, as far as a schema can say it.
type actionForm struct {
	metric, ref, restores, user, other bool
	min, max                           int64
}

// actionForms returns the forms of each action, undo and metric, by its name: one for each version of the rules.
func actionForms(rules *activity.Rules) map[string][]actionForm {
	forms := map[string][]actionForm{}
	for set := range rules.Versions() {
		for _, word := range set.Words() {
			rule := set.Find(word)
			forms[word] = append(forms[word], actionForm{
				rule.Metric, rule.TakesRef(), rule.Undo != "" && word != rule.Undo, rule.TargetIsUser, rule.ByOther,
				rule.Min, rule.Max,
			})
		}
	}
	return forms
}

// describeForms adds to the schema of a reported activity the demands of each action. Of an action whose form the day
// decides it says nothing.
func describeForms(reported keywords, forms map[string][]actionForm) {
	words := map[actionForm][]string{}
	var order []actionForm
	for _, word := range slices.Sorted(maps.Keys(forms)) {
		all := slices.Compact(forms[word])
		if len(all) > 1 {
			continue
		}
		if words[all[0]] == nil {
			order = append(order, all[0])
		}
		words[all[0]] = append(words[all[0]], word)
	}
	branch := reported
	for i, form := range order {
		branch["if"] = keywords{"properties": keywords{"action": keywords{"enum": words[form]}}}
		branch["then"] = form.schema()
		if i < len(order)-1 {
			next := keywords{}
			branch["else"], branch = next, next
		}
	}
}

// schema returns the schema of the form's activities beside a ReportedActivity.
func (f actionForm) schema() keywords {
	nothing := keywords{"not": keywords{}}
	properties, required := keywords{"value": nothing, "target": keywords{}}, []string{"target"}
	if f.metric {
		properties["value"], required = keywords{"minimum": f.min, "maximum": f.max}, []string{"value"}
	}
	if f.other {
		required = append(required, "other")
	}
	if !f.ref {
		properties["ref"] = nothing
	}
	if !f.restores {
		properties["restores"] = keywords{"const": false}
	}
	if f.user {
		properties["target"] = keywords{"$ref": "#/components/schemas/UserID"}
	}
	return keywords{"required": required, "properties": properties}
}
