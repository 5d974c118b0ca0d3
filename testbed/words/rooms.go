// SPDX-License-Identifier: Apache-2.0
package main

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

const (
	contributing = "CONTRIBUTING.md"
	whereTo      = "## Where a change goes"
)

var (
	roomRow = regexp.MustCompile("^\\| ([^|]+) \\|")
	aRoom   = regexp.MustCompile("^`([^`]+)`$")
	// Folders whose own folders are rooms.
	houses = []string{"testbed", "config", "benchmarks", "dist-scheduler"}
)

// folderOf returns the folder of a room: 'operator/…/pki' is a package.
func folderOf(room string) string {
	module, inside, isPackage := strings.Cut(room, "/…/")
	if !isPackage {
		return room
	}
	return module + "/src/main/java/io/exaplane/" + module + "/" + inside
}

// roomsOf returns the rooms that need a row: each package of the operator, each module, and each folder of the houses.
func roomsOf(files map[string]string) map[string]bool {
	const operator = "operator/src/main/java/io/exaplane/operator/"
	rooms := map[string]bool{}
	for file := range files {
		folder, name := path.Split(file)
		parts := strings.Split(file, "/")
		switch {
		case strings.HasPrefix(file, operator) && name == "package-info.java" && folder != operator:
			rooms["operator/…/"+strings.TrimSuffix(strings.TrimPrefix(folder, operator), "/")] = true
		case len(parts) == 2 && name == "pom.xml" && !isHouse(parts[0]):
			rooms[parts[0]] = true
		case len(parts) > 2 && isHouse(parts[0]):
			rooms[parts[0]+"/"+parts[1]] = true
		}
	}
	return rooms
}

func isHouse(folder string) bool {
	for _, each := range houses {
		if folder == each {
			return true
		}
	}
	return false
}

// checkRooms compares the tables of CONTRIBUTING.md with the folders: each room has one row, each row one room, and the room exists.
func checkRooms(files map[string]string) []finding {
	var found []finding
	wanted := roomsOf(files)
	folders := map[string]bool{}
	for file := range files {
		for folder := path.Dir(file); folder != "." && !folders[folder]; folder = path.Dir(folder) {
			folders[folder] = true
		}
	}
	rows := map[string]bool{}
	isInside := false
	for i, line := range strings.Split(files[contributing], "\n") {
		if strings.HasPrefix(line, "## ") {
			isInside = line == whereTo
		}
		row := roomRow.FindStringSubmatch(line)
		if !isInside || row == nil || row[1] == "room" || rule.MatchString(line) {
			continue
		}
		say := func(problem string, arguments ...any) {
			found = append(found, finding{contributing, i + 1, fmt.Sprintf(problem, arguments...)})
		}
		room := aRoom.FindStringSubmatch(row[1])
		switch {
		case room == nil:
			say("%s: write one room a row, in backquotes", row[1])
		case rows[room[1]]:
			say("%s has a second row", room[1])
		case !folders[folderOf(room[1])]:
			say("%s does not exist: there is no folder %s", room[1], folderOf(room[1]))
		}
		if room != nil {
			rows[room[1]] = true
		}
	}
	for room := range wanted {
		if !rows[room] {
			found = append(found, finding{contributing, 0, fmt.Sprintf("%s has no row below '%s': say what the room holds", room, strings.TrimPrefix(whereTo, "## "))})
		}
	}
	return found
}
