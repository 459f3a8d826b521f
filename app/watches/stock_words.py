"""What shops write when a thing can be had, and when not: in English, German, French, Spanish, Portuguese,
Italian, Dutch, the Nordic languages, Polish, Czech, Hungarian, Romanian, Turkish, Russian, Ukrainian, Greek,
Japanese, Chinese and Korean. Folded, as `str.casefold` folds.
"""

from __future__ import annotations

OUT = (
    "out of stock", "out-of-stock", "sold out", "not in stock", "no longer in stock",
    "no longer available", "currently unavailable", "temporarily unavailable", "not available",
    "unavailable online", "notify me when", "email me when", "back in stock soon", "back soon",
    "on backorder", "discontinued", "out of print", "join the waitlist", "coming soon", "0 in stock",
    "ausverkauft", "nicht auf lager", "nicht vorr\u00e4tig", "nicht verf\u00fcgbar", "nicht lieferbar",
    "vergriffen", "derzeit nicht", "zurzeit nicht", "momentan nicht", "nicht mehr lieferbar",
    "nicht mehr verf\u00fcgbar", "wieder verf\u00fcgbar ab", "benachrichtigen, wenn",
    "demn\u00e4chst verf\u00fcgbar", "rupture de stock", "en rupture", "indisponible", "\u00e9puis\u00e9",
    "non disponible", "plus disponible", "pas en stock", "m'avertir", "victime de son succ\u00e8s",
    "agotado", "sin stock", "sin existencias", "no disponible", "fuera de stock", "esgotado",
    "indispon\u00edvel", "fora de estoque", "sem estoque", "sem stock", "av\u00edsame cuando", "avise-me",
    "esaurito", "non disponibile", "non \u00e8 disponibile", "avvisami quando", "uitverkocht",
    "niet op voorraad", "niet leverbaar", "niet beschikbaar", "slut i lager", "sluts\u00e5ld",
    "ej i lager", "inte i lager", "udsolgt", "ikke p\u00e5 lager", "utsolgt", "loppuunmyyty",
    "ei varastossa", "brak w magazynie", "wyprzedan", "niedost\u0119pny", "produkt niedost",
    "vyprod\u00e1no", "nen\u00ed skladem", "nedostupn\u00e9", "elfogyott", "nincs rakt\u00e1ron",
    "nincs k\u00e9szleten", "stoc epuizat", "indisponibil", "t\u00fckendi", "stokta yok",
    "\u043d\u0435\u0442 \u0432 \u043d\u0430\u043b\u0438\u0447\u0438\u0438",
    "\u043d\u0435\u043c\u0430\u0454 \u0432 \u043d\u0430\u044f\u0432\u043d\u043e\u0441\u0442\u0456",
    "\u0440\u0430\u0441\u043f\u0440\u043e\u0434\u0430\u043d",
    "\u03b5\u03be\u03b1\u03bd\u03c4\u03bb\u03ae\u03b8\u03b7\u03ba\u03b5", "\u5728\u5eab\u5207\u308c",
    "\u58f2\u308a\u5207\u308c", "\u54c1\u5207\u308c", "\u5165\u8377\u5f85\u3061", "\u7f3a\u8d27",
    "\u552e\u7f44", "\u65e0\u8d27", "\u552e\u5b8c", "\u7f3a\u8ca8", "\ud488\uc808",
)  # fmt: skip
"""Any of these in a short line means that it cannot be had. They are looked for before IN, of which many are
a part."""

IN = (
    "in stock", "available now", "available immediately", "ready to ship", "ships today", "ships within",
    "left in stock", "auf lager", "sofort lieferbar", "sofort verf\u00fcgbar", "vorr\u00e4tig",
    "lieferbar", "en stock", "disponible", "disponibile", "dispon\u00edvel", "em estoque", "em stock",
    "op voorraad", "i lager", "p\u00e5 lager", "varastossa", "na magazynie", "w magazynie",
    "dost\u0119pny", "skladem", "k\u00e9szleten", "rakt\u00e1ron", "\u00een stoc", "in stoc",
    "stokta var", "\u0432 \u043d\u0430\u043b\u0438\u0447\u0438\u0438",
    "\u0432 \u043d\u0430\u044f\u0432\u043d\u043e\u0441\u0442\u0456",
    "\u03b4\u03b9\u03b1\u03b8\u03ad\u03c3\u03b9\u03bc\u03bf", "\u5728\u5eab\u3042\u308a",
    "\u5728\u5eab\u6709\u308a", "\u6709\u8d27", "\u73b0\u8d27", "\u6709\u8ca8",
)  # fmt: skip

BUY = (
    "add to cart", "add to basket", "add to bag", "buy now", "in den warenkorb", "in den einkaufswagen",
    "jetzt kaufen", "ajouter au panier", "a\u00f1adir al carrito", "a\u00f1adir a la cesta",
    "agregar al carrito", "aggiungi al carrello", "adicionar ao carrinho", "in winkelwagen",
    "in winkelmand", "l\u00e4gg i varukorg", "l\u00e6g i kurv", "legg i handlekurv", "do koszyka",
    "do ko\u0161\u00edku", "kos\u00e1rba", "sepete ekle",
    "\u0432 \u043a\u043e\u0440\u0437\u0438\u043d\u0443", "\u30ab\u30fc\u30c8\u306b\u5165\u308c\u308b",
    "\u52a0\u5165\u8d2d\u7269\u8f66",
)  # fmt: skip
"""Buttons that say no more than that it can probably be had; they count where nothing else says anything."""

NOT_ABOUT_IT = (
    "never out of stock", "if sold out", "in stock only", "only in stock", "wenn ausverkauft",
    "falls ausverkauft", "hide out of stock", "show out of stock", "may be out of stock",
    "items are out of stock",
)  # fmt: skip
"""Lines of filters and promises, which speak of stock in general."""

RELATED = (
    "related products", "related items", "similar products", "similar items", "you may also like",
    "you might also like", "customers also", "also bought", "frequently bought", "recommended for you",
    "recently viewed", "more from", "more like this", "\u00e4hnliche produkte", "\u00e4hnliche artikel",
    "das k\u00f6nnte ihnen auch gefallen", "das k\u00f6nnte dir auch gefallen", "kunden kauften auch",
    "wird oft zusammen gekauft", "zuletzt angesehen", "passend dazu", "produits similaires",
    "vous aimerez aussi", "les clients ont aussi", "productos relacionados", "productos similares",
    "tambi\u00e9n te puede", "prodotti correlati", "prodotti simili", "potrebbe interessarti",
    "produtos relacionados", "gerelateerde producten", "relaterade produkter", "podobne produkty",
    "\u95a2\u9023\u5546\u54c1", "\u76f8\u5173\u5546\u54c1",
)  # fmt: skip
"""Headings from which on a page shows other things."""
