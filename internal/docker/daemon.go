package docker

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"laurel/internal/machine"
)

// startsWithin is how long an engine may take to answer, on a machine that runs
// everything else at the same time. Alone it takes a second.
const startsWithin = time.Minute

// A daemon is the engine's process with all that belongs to it.
type daemon struct {
	*machine.Process
	dir     string
	name    string // of its bridge and its control groups
	address net.IP // this machine on the bridge of the containers
}

// contained runs in namespaces of its own for processes and mounts, so that
// containers and mounts cannot be left behind. What the engine writes into the
// system's directories goes into its own; where there is no overlay, on top of
// another one, it has to be the system's.
//
// $0 is the engine's directory, $1 its name, $2 this machine's address on its bridge.
const contained = `for dir in etc opt run; do
	mkdir -p "$0/over/$dir" "$0/work/$dir"
	mount -t overlay none -o "lowerdir=/$dir,upperdir=$0/over/$dir,workdir=$0/work/$dir" "/$dir"
done
# The system's own containerd is not for this engine.
[ ! -d /run/containerd ] || mount -t tmpfs none /run/containerd
echo '{}' >"$0/daemon.json"
ip link add name "$1" type bridge && ip address add "$2/24" dev "$1" && ip link set "$1" up || exit
exec dockerd --config-file "$0/daemon.json" --host "unix://$0/docker.sock" --pidfile "$0/pid" \
	--data-root "$0/data" --exec-root "$0/exec" --exec-opt native.cgroupdriver=cgroupfs --cgroup-parent "/$1" \
	--bridge "$1" --iptables=false --ip-forward=false --ip-masq=false`

// clearing takes away what namespaces do not: the bridge, and the control groups,
// which can be removed when the last process in them is gone.
const clearing = `ip link delete NAME
for attempt in $(seq 100); do
	find /sys/fs/cgroup -depth -type d -path '*/NAME*' -exec rmdir {} +
	rm -rf ./* && [ -z "$(find /sys/fs/cgroup -type d -name NAME)" ] && break
	sleep 0.1
done`

func start(ctx context.Context) (*Engine, error) {
	name := "laurel" + strings.ToLower(rand.Text()[:8]) // a device's name has 15 bytes at most
	address, err := freeNetwork()
	if err != nil {
		return nil, err
	}
	d := &daemon{name: name, address: address}
	d.Process, err = machine.StartProgramAndClear("docker", func(dir string) []string {
		d.dir = dir
		return []string{
			"unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc",
			"sh", "-c", contained, dir, name, address.String(),
		}
	}, strings.ReplaceAll(clearing, "NAME", name))
	if err != nil {
		return nil, err
	}
	engine := &Engine{host: "unix://" + socket(d.dir), origin: "started here", own: d}
	if err := d.ready(ctx); err != nil {
		d.stop()
		return nil, err
	}
	if engine.version, err = engine.Run(ctx, "version", "--format", "{{.Server.Version}}"); err != nil {
		d.stop()
		return nil, err
	}
	return engine, nil
}

// stop ends the engine and waits until its directory is gone, which is the last.
func (d *daemon) stop() {
	d.Stop()
	for range 200 {
		if _, err := os.Stat(d.dir); err != nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// ready waits until the engine answers.
func (d *daemon) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startsWithin)
	defer cancel()
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", socket(d.dir))
		},
	}}
	for {
		err := ping(ctx, &client)
		if err == nil {
			return nil
		}
		select {
		case <-d.Done():
			return fmt.Errorf("dockerd ended at once: %s", machine.LastLine(d.Output()))
		case <-ctx.Done():
			return fmt.Errorf("dockerd does not answer: %w: %s", errors.Join(err, ctx.Err()), machine.LastLine(d.Output()))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func ping(ctx context.Context, client *http.Client) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://docker/_ping", http.NoBody)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		err = errors.New(response.Status)
	}
	return errors.Join(err, response.Body.Close())
}

// freeNetwork is the first address of a private network that this machine is on
// none of yet.
func freeNetwork() (net.IP, error) {
	taken, err := net.InterfaceAddrs()
	if err != nil {
		return nil, err
	}
	for range 100 {
		var random [1]byte
		_, _ = rand.Read(random[:])
		address := net.IPv4(10, 213, random[0], 1)
		if !within(taken, address) {
			return address, nil
		}
	}
	return nil, errors.New("no private network is free")
}

func within(networks []net.Addr, address net.IP) bool {
	for _, one := range networks {
		if network, ok := one.(*net.IPNet); ok && network.Contains(address) {
			return true
		}
	}
	return false
}
