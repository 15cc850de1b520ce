package machine

// quietly runs apt-get without starting the services that a package brings: what
// is needed here is started here, and ends here. A file that says so is put where
// Debian's packages look for it, unless there is one.
const quietly = `policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
	trap 'rm -f "$policy"' EXIT
	printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy" || exit
fi
"$0" "$@"`

// fromBackports adds the suite of newer packages to a Debian that does not have it
// yet, at the address that the other packages are from, and then does as quietly
// does. A package comes from there only when the suite is named.
const fromBackports = `. /etc/os-release
[ "$ID" = debian ] || { echo "$ID has no backports"; exit 1; }
suite=$VERSION_CODENAME-backports
if ! apt-get indextargets --format '$(CODENAME)' | grep -qx "$suite"; then
	uri=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $VERSION_CODENAME" 'Created-By: Packages' | head -n 1)
	printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' \
		"$uri" "$suite" /usr/share/keyrings/debian-archive-keyring.gpg >"/etc/apt/sources.list.d/$suite.sources" &&
		"$0" update -qq || exit
fi
set -- "$@" -t "$suite"
` + quietly

// AptInstall is the command that installs Debian's packages, as a Manager's
// Commands take it. It starts none of their services.
func AptInstall(packages ...string) []string { return apt(quietly, packages) }

// AptBackport is AptInstall from the suite of newer packages that goes with a
// Debian, which it adds to the system's sources if need be.
func AptBackport(packages ...string) []string { return apt(fromBackports, packages) }

func apt(script string, packages []string) []string {
	return append([]string{"sh", "-c", script, "apt-get", "install", "-y", "-qq", "--no-install-recommends"}, packages...)
}
