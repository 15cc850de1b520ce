package localserver

import "net"

// Whole is the listener that servers use.
func Whole(l net.Listener) net.Listener { return wholeListener{l} }
