# A router advertisement on an interface, with two networks of which hosts make themselves addresses; the first one has the flag P (RFC 9762).
# advertise.pl INDEX-OF-INTERFACE PREFERRED OTHER: /64 networks, as fd00:1::. The router is no default router.
use strict;
use warnings;
use Socket qw(inet_pton pack_sockaddr_in6 AF_INET6 SOCK_RAW);

my ($link, $preferred, $other) = @ARGV;
socket(my $raw, AF_INET6, SOCK_RAW, 58) or die "socket: $!";
# IPV6_MULTICAST_IF and IPV6_MULTICAST_HOPS of IPPROTO_IPV6: hosts take no advertisement that a router could have passed on.
setsockopt($raw, 41, 17, pack('i', $link)) or die "interface: $!";
setsockopt($raw, 41, 18, pack('i', 255)) or die "hop limit: $!";
# Flags of a network: L is 0x80, A is 0x40, P is 0x10.
my $network = sub { pack('CCCCNNN', 3, 4, 64, $_[1], 600, 600, 0) . inet_pton(AF_INET6, $_[0]) };
my $message = pack('CCnCCnNN', 134, 0, 0, 64, 0, 0, 0, 0) . $network->($preferred, 0xd0) . $network->($other, 0xc0);
send($raw, $message, 0, pack_sockaddr_in6(0, inet_pton(AF_INET6, 'ff02::1'), $link)) or die "send: $!";
