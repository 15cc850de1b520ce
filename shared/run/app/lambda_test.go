package app_test

import (
	"runtime/debug"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/run/app"
)

// A function's garbage is collected before its memory is full, whatever its size. The limit is the process's: no other
// test runs beside this one.
func TestAFunctionCollectsInTime(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	for size, want := range map[string]int64{"256": 214_748_364, "3008": 2_523_293_286} {
		source := app.Environment(app.NeedRedis, app.NeedTable)
		values := map[string]string{
			"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": size, "REDIS_URL": "redis://localhost:1", "TABLE_NAME": "laurel",
			"DYNAMODB_ENDPOINT": "http://localhost:1",
		}
		source.Lookup = func(name string) (string, bool) { value, ok := values[name]; return value, ok }
		_, _, err := app.FunctionTable(source)
		harness.OK(t, err)
		if got := debug.SetMemoryLimit(-1); got > want || got < want-4 {
			t.Errorf("%s MB: the limit is %d, not %d", size, got, want)
		}
	}
}
