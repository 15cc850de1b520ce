//go:build !unix

package machine

import "os"

// lockFile guards nothing where there is no flock: there is no package manager to
// guard there either, and a server in the environment is one package's at a time.
func lockFile(*os.File) (free bool, err error) { return true, nil }
