package resp

// startElems bounds the elements allocated for an aggregate whose elements have not arrived yet.
const startElems = 64

// Value reads the next value whole, as a tree. Errors inside it, and an error reply, are values of KindError. What it
// allocates grows with what has arrived.
func (r *Reader) Value() (Value, error) {
	if r.err != nil {
		return Value{}, r.err
	}
	if r.pending != buildValue {
		k, err := r.next()
		if err != nil {
			return Value{}, err
		}
		if k == kindEnd {
			return Value{}, ErrEnd
		}
		if err := r.beginTree(buildValue, k); err != nil {
			return Value{}, err
		}
	}
	return r.grow()
}

// beginTree starts to build the next value, which is of kind k.
func (r *Reader) beginTree(p pending, k Kind) error {
	floor := len(r.stack)
	if err := r.sprout(k); err != nil {
		return err
	}
	r.pending, r.floor = p, floor
	return nil
}

// grow builds everything up to the end of the pending value and returns it.
func (r *Reader) grow() (Value, error) {
	for {
		for len(r.stack) > r.floor && r.left == 0 {
			r.pop()
			r.closeNode()
		}
		if len(r.stack) == r.floor {
			root := r.tree[0]
			r.tree[0] = Value{}
			r.tree = r.tree[:0]
			r.pending = nothing
			return root, nil
		}
		k, err := r.head()
		if err != nil {
			return Value{}, err
		}
		if err := r.sprout(k); err != nil {
			return Value{}, err
		}
	}
}

// sprout reads the next value into the tree if it is a scalar, or opens a node for it.
func (r *Reader) sprout(k Kind) error {
	switch k {
	case kindEnd:
		r.closeStreamed()
		r.closeNode()
		return nil
	case KindArray, KindSet, KindMap, KindAttribute, KindPush:
		return r.openNode(k)
	}
	leaf, err := r.leaf(k)
	if err != nil {
		return err
	}
	r.attach(leaf)
	return nil
}

func (r *Reader) openNode(k Kind) error {
	n, err := r.open(k, k)
	if err != nil {
		return err
	}
	node := Value{Kind: k}
	if n > 0 {
		node.Elems = make([]Value, 0, min(n, startElems))
	}
	r.tree = append(r.tree, node)
	return nil
}

// closeNode attaches the innermost node to the one around it, unless it is the root or an attribute.
func (r *Reader) closeNode() {
	top := len(r.tree) - 1
	if top == 0 {
		return
	}
	node := r.tree[top]
	r.tree[top] = Value{}
	r.tree = r.tree[:top]
	if node.Kind != KindAttribute {
		r.attach(node)
	}
}

// attach makes v an element of the innermost node, or the root.
func (r *Reader) attach(v Value) {
	if len(r.tree) == 0 {
		r.tree = append(r.tree, v)
		return
	}
	top := &r.tree[len(r.tree)-1]
	top.Elems = append(top.Elems, v)
}

// leaf reads a value without elements.
func (r *Reader) leaf(k Kind) (v Value, err error) {
	var text []byte
	var size int
	switch k {
	case KindNull:
		r.takeNull()
		return Value{Kind: KindNull}, nil
	case KindBulk, KindVerbatim, KindBlobError:
		text, size, err = r.blob(k)
	default:
		text, size, err = r.line(1, r.limits.Line)
	}
	if err != nil {
		return Value{}, err
	}
	v, ok := parseLeaf(k, text)
	if !ok {
		return Value{}, r.malformed(k)
	}
	r.took(size)
	return v, nil
}

// parseLeaf makes a value of the text of a string, a number or a boolean.
func parseLeaf(k Kind, text []byte) (v Value, ok bool) {
	v.Kind = k
	switch k {
	case KindInt:
		v.Int, ok = parseInt(text)
	case KindDouble:
		v.Float, ok = parseDouble(text)
	case KindBool:
		var truth bool
		truth, ok = parseBool(text)
		if truth {
			v.Int = 1
		}
	case KindBlobError:
		v.Kind, v.Text, ok = KindError, string(text), true
	case KindBigNumber:
		v.Text, ok = string(text), isInteger(text)
	default:
		v.Text, ok = string(text), true
	}
	return v, ok
}
