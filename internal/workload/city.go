package workload

import (
	"math"
)

// The plan of the city, in metres and in streets. Streets form a square grid that is turned against north; every
// arterialEvery-th street is an arterial. The river lies in the grid's riverRow: the grid is cut along that street and
// pulled apart, so that the street becomes a quay on either bank, and a bridge joins the quays on some of the arterials.
const (
	block         = 100.0 // metres between neighbouring parallel streets
	arterialEvery = 6     // streets
	riverRow      = 2 * arterialEvery
	riverWidth    = 140.0 // metres
	bridgeEvery   = 3 * arterialEvery
	turned        = 24 * math.Pi / 180 // radians, the streets against the compass

	quay = riverRow * block // metres, the y of the southern quay; the northern one is riverWidth further

	earthRadius = 6371008.8 // metres, mean radius (IUGG)
)

// A City lays the street plan over the globe. It is immutable: any number of goroutines may use it.
type City struct {
	centre           LatLng
	metresPerDegLat  float64
	metresPerDegLng  float64
	sinTurn, cosTurn float64
}

// NewCity returns the city around centre, which must not be a pole.
func NewCity(centre LatLng) *City {
	perDeg := earthRadius * math.Pi / 180
	return &City{
		centre:          centre,
		metresPerDegLat: perDeg,
		metresPerDegLng: perDeg * math.Cos(centre.Lat*math.Pi/180),
		sinTurn:         math.Sin(turned),
		cosTurn:         math.Cos(turned),
	}
}

// point is a place in the plane of the city: metres from the centre along the streets (x) and across them (y).
type point struct{ x, y float64 }

func (p point) distance(q point) float64 { return math.Hypot(p.x-q.x, p.y-q.y) }

// plane projects p. The projection keeps lengths within 0.5 % up to 20 km from the centre in the latitudes of Europe.
func (c *City) plane(p LatLng) point {
	north := (p.Lat - c.centre.Lat) * c.metresPerDegLat
	east := math.Remainder(p.Lng-c.centre.Lng, 360) * c.metresPerDegLng
	return point{
		x: east*c.cosTurn + north*c.sinTurn,
		y: north*c.cosTurn - east*c.sinTurn,
	}
}

// degrees is the inverse of plane, rounded to a millionth of a degree.
func (c *City) degrees(p point) LatLng {
	east := p.x*c.cosTurn - p.y*c.sinTurn
	north := p.x*c.sinTurn + p.y*c.cosTurn
	return LatLng{
		Lat: round(c.centre.Lat+north/c.metresPerDegLat, 1e6),
		Lng: round(math.Remainder(c.centre.Lng+east/c.metresPerDegLng, 360), 1e6),
	}
}

// GreatCircle returns the distance from a to b over the globe in metres, by the haversine formula.
func GreatCircle(a, b LatLng) float64 {
	const rad = math.Pi / 180
	lat := math.Sin((b.Lat - a.Lat) / 2 * rad)
	lng := math.Sin((b.Lng - a.Lng) / 2 * rad)
	h := lat*lat + math.Cos(a.Lat*rad)*math.Cos(b.Lat*rad)*lng*lng
	return 2 * earthRadius * math.Asin(math.Sqrt(min(h, 1)))
}

// round rounds x to a multiple of 1/parts.
func round(x, parts float64) float64 { return math.Round(x*parts) / parts }
