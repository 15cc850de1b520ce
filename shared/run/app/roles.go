package app

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// tasksAddress is where ECS answers for the role of a task, and podsAddresses where EKS does for that of a pod.
const tasksAddress = "169.254.170.2"

var podsAddresses = []string{tasksAddress, "169.254.170.23", "[fd00:ec2::23]", "127.0.0.1", "[::1]", "localhost"}

// taskRole reads the path at which ECS answers.
func taskRole(path string) (string, error) {
	if !strings.HasPrefix(path, "/") {
		return "", fmt.Errorf("%q does not begin with a slash", path)
	}
	return "http://" + tasksAddress + path, nil
}

// podRole reads the address at which EKS answers. Without TLS it may be on this machine alone: keys come from there.
func podRole(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" ||
		u.Scheme != "https" && (u.Scheme != "http" || !slices.Contains(podsAddresses, host(u))) {
		return "", fmt.Errorf("%q is neither https://... nor http:// with an address of this machine", address)
	}
	return address, nil
}

// host returns the host of an address, with the brackets of an IPv6 one.
func host(u *url.URL) string { return strings.TrimSuffix(u.Host, ":"+u.Port()) }
