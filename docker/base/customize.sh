#!/bin/sh
# What both ways to build the image do to its file system after the packages are in.
#
#   customize.sh ROOT     ROOT is / inside a container, or the folder of an unpacked system
set -eu

root=${1%/}

chroot "$root/" useradd --uid 1000 --user-group --create-home --shell /bin/bash sandbox
rm -rf "$root"/var/cache/debconf/*-old "$root"/var/lib/dpkg/*-old "$root"/var/lib/apt/lists/* "$root"/var/log/*
