package e2e

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

const (
	memoryOfAProcessor = 1769                  // MB with which Lambda gives a whole processor; less gives a share of it
	tick               = 10 * time.Millisecond // of /proc, in which processor time is counted
)

// Share returns how much CPU time a function with so much memory has in a time.
func Share(memory int, in time.Duration) time.Duration {
	return in * time.Duration(memory) / memoryOfAProcessor
}

// throttle lets the process run only as much as its share of one processor allows: it stops the process
// while that has used more. What is not used is lost, but for one tick.
func (f *Function) throttle(memory int) {
	pace := time.NewTicker(2 * time.Millisecond)
	defer pace.Stop()
	var used, budget time.Duration
	for last := time.Now(); ; {
		select {
		case <-f.done:
			return
		case <-pace.C:
		}
		now, total := time.Now(), f.CPU()
		budget = min(budget+Share(memory, now.Sub(last))-(total-used), tick)
		last, used = now, total
		next := syscall.SIGCONT
		if budget < 0 {
			next = syscall.SIGSTOP
		}
		_ = f.cmd.Process.Signal(next) // it may have ended
	}
}

// CPU is the processor time that the function has used so far; 0 once it has ended.
func (f *Function) CPU() time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", f.cmd.Process.Pid))
	_, after, _ := bytes.Cut(text, []byte(") ")) // behind the name
	fields := bytes.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(string(fields[11]))
	system, _ := strconv.Atoi(string(fields[12]))
	return time.Duration(user+system) * tick
}

// PeakMemory is the most memory that the function has had so far, in MB; 0 once it has ended.
func (f *Function) PeakMemory() int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", f.cmd.Process.Pid))
	_, after, _ := bytes.Cut(text, []byte("VmHWM:"))
	kilobytes := 0
	_, _ = fmt.Sscan(string(after), &kilobytes)
	return kilobytes / 1024
}
