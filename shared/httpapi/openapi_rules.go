package httpapi

import (
	"maps"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/activity"
)

// An actionForm is what the rules want of the fields of an activity, as far as a schema can
// say it.
type actionForm struct {
	metric, ref, restores, user bool
	min, max                    int64
}

// nameRules puts the boards and the actions of the rules into the document.
func nameRules(schemas, named map[string]*huma.Schema, rules *activity.Rules) {
	enumeration := func(values []string, doc string) *huma.Schema {
		s := &huma.Schema{Type: huma.TypeString, Description: doc + ". " + valuesAdded}
		for _, value := range values {
			s.Enum = append(s.Enum, value)
		}
		return s
	}
	named["BoardName"] = enumeration(rules.Boards(), "A board of the rules")
	reported := schemas["ReportedActivity"]
	if reported == nil {
		return
	}
	forms := map[string][]actionForm{} // of each version of the rules that has the action
	for set := range rules.Versions() {
		for _, word := range set.Words() {
			rule := set.Find(word)
			forms[word] = append(forms[word], actionForm{
				rule.Metric, rule.TakesRef(), rule.Undo != "" && word != rule.Undo, rule.TargetIsUser, rule.Min, rule.Max,
			})
		}
	}
	named["ActionName"] = enumeration(slices.Sorted(maps.Keys(forms)), "An action, its undo, or a metric of the rules")
	action := reported.Properties["action"]
	action.Ref, action.Type, action.MinLength = schemaPrefix+"ActionName", "", nil
	words := map[actionForm][]any{}
	var order []actionForm
	for _, word := range slices.Sorted(maps.Keys(forms)) {
		all := slices.Compact(forms[word])
		if len(all) > 1 { // the day decides
			continue
		}
		if words[all[0]] == nil {
			order = append(order, all[0])
		}
		words[all[0]] = append(words[all[0]], word)
	}
	reported.Extensions = map[string]any{}
	branch := reported.Extensions
	for i, form := range order {
		branch["if"] = keywords{"properties": keywords{"action": keywords{"enum": words[form]}}}
		branch["then"] = form.schema()
		if i < len(order)-1 {
			next := keywords{}
			branch["else"], branch = next, next
		}
	}
}

// keywords are those of a schema.
type keywords = map[string]any

// schema returns what an activity of the form has to be beside a ReportedActivity.
func (f actionForm) schema() keywords {
	nothing := keywords{"not": keywords{}}
	properties, required := keywords{"value": nothing, "target": keywords{}}, "target"
	if f.metric {
		properties["value"], required = keywords{"minimum": f.min, "maximum": f.max}, "value"
	}
	if !f.ref {
		properties["ref"] = nothing
	}
	if !f.restores {
		properties["restores"] = keywords{"const": false}
	}
	if f.user {
		properties["target"] = keywords{"$ref": schemaPrefix + "UserID"}
	}
	return keywords{"required": []string{required}, "properties": properties}
}
