package testserver

import "strings"

// Product returns the name of the server's product.
func (s *Server) Product() string {
	name, _, _ := strings.Cut(product(s.about), " ")
	return name
}
