package httpapi

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/report"
	"laurel/shared/strictjson"
)

// fault is one thing wrong with a request.
func fault(location, message string, value any) *huma.ErrorDetail {
	return detailOf(strictjson.NewFault(location, message, value))
}

func detailOf(f strictjson.Fault) *huma.ErrorDetail {
	return &huma.ErrorDetail{Message: f.Message, Location: f.Location, Value: f.Value}
}

// faulty returns the answer that names what is wrong with a report and with the
// rest of its request, nil when there is nothing. What is forbidden decides the
// status, as no other spelling would help; the other faults are named all the
// same.
func faulty(v *report.Verdict, rest []error) *problem {
	for _, err := range rest {
		if detail, ok := errors.AsType[*huma.ErrorDetail](err); ok {
			v.Faults.Add(detail.Location, detail.Message, detail.Value)
		}
	}
	all := v.Faults.All()
	if len(all) == 0 {
		return nil
	}
	status, text := http.StatusUnprocessableEntity, "validation failed"
	if v.Forbidden {
		status, text = http.StatusForbidden, "some of this is not the caller's to do"
	}
	if n := v.Faults.Count(); n > len(all) {
		text += fmt.Sprintf("; only the first %d of %d faults are named", len(all), n)
	}
	details := make([]*huma.ErrorDetail, len(all))
	for i, f := range all {
		details[i] = detailOf(f)
	}
	return newProblem(status, text, details...)
}
