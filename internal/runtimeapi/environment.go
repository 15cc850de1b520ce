package runtimeapi

import (
	"cmp"
	"path/filepath"
)

const (
	defaultRegion = "us-east-1"
	account       = "123456789012"
)

// environment is all that a function finds: what Lambda sets, then what its
// options give, which wins.
func environment(options Options, api string) []string {
	name := functionName(options)
	return append([]string{
		"AWS_LAMBDA_RUNTIME_API=" + api,
		"AWS_LAMBDA_FUNCTION_NAME=" + name,
		"AWS_LAMBDA_FUNCTION_VERSION=$LATEST",
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE=256",
		"AWS_LAMBDA_INITIALIZATION_TYPE=on-demand",
		"AWS_LAMBDA_LOG_GROUP_NAME=/aws/lambda/" + name,
		"AWS_LAMBDA_LOG_STREAM_NAME=2026/01/01/[$LATEST]0123456789abcdef0123456789abcdef",
		"AWS_LAMBDA_LOG_FORMAT=JSON",
		"AWS_REGION=" + defaultRegion,
		"AWS_DEFAULT_REGION=" + defaultRegion,
		"AWS_ACCESS_KEY_ID=laurel",
		"AWS_SECRET_ACCESS_KEY=laurel",
		"_HANDLER=bootstrap",
		"LAMBDA_TASK_ROOT=" + filepath.Dir(options.Binary),
		"LAMBDA_RUNTIME_DIR=/var/runtime",
		"LANG=en_US.UTF-8",
		"PATH=/usr/local/bin:/usr/bin/:/bin:/opt/bin",
		"TZ=:UTC",
	}, options.Environment...)
}

// functionName is the name that a function has when its options give none: that of
// its directory, as dist/record/bootstrap is record.
func functionName(options Options) string {
	return cmp.Or(options.Name, filepath.Base(filepath.Dir(options.Binary)))
}
