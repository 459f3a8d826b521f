"""A portal for pictures and a login service on a bus, by GLib's own D-Bus: run by the system's Python.

Usage: services.py ADDRESS portal PICTURE | refuse | silent, or services.py ADDRESS login FILE.
"""

import sys

from gi.repository import Gio, GLib

XML = """
<node>
  <interface name="org.freedesktop.portal.Screenshot">
    <method name="Screenshot">
      <arg type="s" direction="in"/><arg type="a{sv}" direction="in"/><arg type="o" direction="out"/>
    </method>
  </interface>
  <interface name="org.freedesktop.login1.Session">
    <method name="SetBrightness">
      <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="u" direction="in"/>
    </method>
  </interface>
</node>
"""
PORTAL = ("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop")
LOGIN = ("org.freedesktop.login1", "/org/freedesktop/login1/session/auto")


def main():
    """Serve until the bus ends."""
    address, what, *words = sys.argv[1:]
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    bus = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
    interfaces = Gio.DBusNodeInfo.new_for_xml(XML).interfaces
    name, path = PORTAL if what == "portal" else LOGIN

    def asked(bus, sender, path, interface, method, values, call):
        if method == "SetBrightness":
            with open(words[0], "a") as file:
                file.write(" ".join(map(str, values.unpack())) + "\n")
            call.return_value(None)
            return
        token = values.unpack()[1]["handle_token"]
        request = f"{PORTAL[1]}/request/{sender.lstrip(':').replace('.', '_')}/{token}"
        call.return_value(GLib.Variant("(o)", (request,)))
        if words[0] != "silent":
            code = 1 if words[0] == "refuse" else 0
            results = {} if code else {"uri": GLib.Variant("s", f"file://{words[0]}")}
            answer = GLib.Variant("(ua{sv})", (code, results))
            bus.emit_signal(sender, request, "org.freedesktop.portal.Request", "Response", answer)

    for interface in interfaces:
        bus.register_object(path, interface, asked, None, None)
    Gio.bus_own_name_on_connection(bus, name, Gio.BusNameOwnerFlags.NONE, None, None)
    GLib.MainLoop().run()


main()
