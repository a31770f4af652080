package conn

import "context"

// credentials are what a connection authenticates with.
type credentials struct{ username, password string }

// user is the name to authenticate as.
func (w credentials) user() string {
	if w.username == "" {
		return "default"
	}
	return w.username
}

// credentials gives those for one more connection. Fault E17.
func (d *dialer) credentials(ctx context.Context) (credentials, error) {
	if d.cfg.Credentials == nil {
		return credentials{d.cfg.Username, d.cfg.Password}, nil
	}
	username, password, err := d.cfg.Credentials(ctx, d.addr)
	if err != nil {
		return credentials{}, &DialError{Addr: d.addr, Op: "credentials", Err: err}
	}
	return credentials{username, password}, nil
}
