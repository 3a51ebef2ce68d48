//go:build unix

package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// An owner is the user that the server runs as. PostgreSQL refuses to run as root, so for root it is an unprivileged
// user.
type owner struct {
	uid, gid int
	// other is true if the owner is not the user of this process.
	other bool
}

// chooseOwner chooses the owner of a cluster: its current owner, else this user or, for root, nobody.
func chooseOwner(clusterDir string) (owner, error) {
	self := os.Getuid()
	info, err := os.Stat(clusterDir)
	if err == nil {
		st := info.Sys().(*syscall.Stat_t)
		uid, gid := int(st.Uid), int(st.Gid)
		switch {
		case uid == self && uid != 0:
			return owner{uid: uid, gid: gid}, nil
		case self == 0 && uid != 0:
			return owner{uid: uid, gid: gid, other: true}, nil
		case self != 0:
			return owner{}, fmt.Errorf("%s belongs to user id %d and kith runs as user id %d: run kith as the owner",
				clusterDir, uid, self)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return owner{}, err
	}
	if self != 0 {
		return owner{uid: self, gid: os.Getgid()}, nil
	}
	uid, gid := nobody()
	return owner{uid: uid, gid: gid, other: true}, nil
}

// nobody returns the ids of the user nobody.
func nobody() (uid, gid int) {
	const usual = 65534
	u, err := user.Lookup("nobody")
	if err != nil {
		return usual, usual
	}
	uid, err1 := strconv.Atoi(u.Uid)
	gid, err2 := strconv.Atoi(u.Gid)
	// macOS has negative ids for nobody, which Go reads as very large ones.
	if err1 != nil || err2 != nil || uid <= 0 || gid <= 0 {
		return usual, usual
	}
	return uid, gid
}

// take makes the owner own a file or directory that this process made.
func (o owner) take(path string) error {
	if !o.other {
		return nil
	}
	return os.Chown(path, o.uid, o.gid)
}

// share gives a file made by root to the owner of its directory: one run as root must not lock the user out.
func share(path string) error {
	if os.Getuid() != 0 {
		return nil
	}
	dir, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return err
	}
	st := dir.Sys().(*syscall.Stat_t)
	return os.Lchown(path, int(st.Uid), int(st.Gid))
}

// command prepares a program that runs as the owner until ctx ends, in its own session: an interrupt from the terminal
// must reach kith, which then stops the server in order, and not the server itself.
func (o owner) command(ctx context.Context, dir, program string, args ...string) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	cmd.Env = cleanEnv(dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if !o.other {
		return cmd, nil
	}
	cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(o.uid), Gid: uint32(o.gid)}
	if closed, ok := o.canReach(program); !ok {
		return nil, fmt.Errorf("postgres runs as user id %d, who cannot enter %s, where %s is: install PostgreSQL "+
			"where "+"everyone may run it", o.uid, closed, program)
	}
	if closed, ok := o.canReach(dir); !ok {
		if err := allowSearch(cmd.SysProcAttr); err != nil {
			return nil, fmt.Errorf("postgres runs as user id %d, who cannot enter %s: %w", o.uid, closed, err)
		}
		// The capability takes effect with the program, after the change of directory.
		cmd.Dir = "/"
	}
	return cmd, nil
}

// cleanEnv leaves out variables that would change the programs' language or connections.
func cleanEnv(home string) []string {
	return []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + home, "LC_ALL=C", "TZ=UTC"}
}

// canReach reports whether the owner may enter every directory above path; otherwise it returns the closed one.
func (o owner) canReach(path string) (closed string, ok bool) {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil || !o.mayEnter(info) {
			return dir, false
		}
		if dir == filepath.Dir(dir) {
			return "", true
		}
	}
}

func (o owner) mayEnter(info fs.FileInfo) bool {
	st := info.Sys().(*syscall.Stat_t)
	switch {
	case int(st.Uid) == o.uid:
		return info.Mode()&0o100 != 0
	case int(st.Gid) == o.gid:
		return info.Mode()&0o010 != 0
	default:
		return info.Mode()&0o001 != 0
	}
}
