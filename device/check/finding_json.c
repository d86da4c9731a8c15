/* Findings as JSON, and as SARIF 2.1.0 (OASIS), which code hosts show beside the source. */
#include <string.h>

#include "device/report/json_writer.h"
#include "finding_kept.h"

static void put_calls(struct json_writer *j, const struct kept_place *at) {
    json_array(j, "calls");
    for (uint32_t n = 0; n < at->ncalls; n++) {
        json_object(j, NULL);
        json_text(j, "function", at->calls[n].name);
        json_text(j, "file", at->calls[n].file);
        json_integer(j, "line", at->calls[n].line);
        json_integer(j, "column", at->calls[n].column);
        json_end_object(j);
    }
    json_end_array(j);
}

static void put_party(struct json_writer *j, const char *key, const struct kept_place *at,
                      const struct check_party *p) {
    json_object(j, key);
    json_text(j, "what", p->subject);
    json_text(j, "file", at->file);
    json_integer(j, "line", at->line);
    json_integer(j, "column", at->column);
    json_text(j, "source", at->source);
    put_calls(j, at);
    json_triple(j, "group", p->item.group);
    if (p->item_known) {
        json_triple(j, "local", p->item.local);
        json_triple(j, "global", p->item.global);
    }
    json_end_object(j);
}

static void put_finding(void *user, const struct kept_finding *f) {
    struct json_writer *j = user;
    char title[256];
    check_title(f, title, sizeof title);
    json_object(j, NULL);
    json_text(j, "check", check_kind_name[check_rules[f->f.rule].kind]);
    json_text(j, "rule", check_rules[f->f.rule].name);
    json_text(j, "severity", check_severity_name[f->f.severity]);
    json_text(j, "message", title);
    json_text(j, "kernel", f->kernel);
    if (f->kernel) put_party(j, "at", &f->at, &f->f.party);
    if (f->other.line) put_party(j, "against", &f->other, &f->f.other);
    if (f->f.bytes) {
        json_text(j, "space", isa_space_name[f->f.space]);
        json_integer(j, "address", f->f.address);
        json_integer(j, "bytes", f->f.bytes);
    }
    json_text(j, "object", f->f.object);
    json_text(j, "detail", f->f.detail);
    json_integer(j, "count", f->f.count);
    json_end_object(j);
}

void check_write_json(FILE *to) {
    struct json_writer j = {.to = to};
    json_object(&j, NULL);
    json_integer(&j, "version", 1);
    json_array(&j, "findings");
    check_each(put_finding, &j);
    json_end_array(&j);
    json_end_object(&j);
    fputc('\n', to);
}

/* ---- SARIF ---- */

static void put_message(struct json_writer *j, const char *key, const char *text) {
    json_object(j, key);
    json_text(j, "text", text);
    json_end_object(j);
}

/* A name in angle brackets, the program's source, is no file. */
static bool is_file(const char *name) { return name && *name && *name != '<'; }

static void put_location(struct json_writer *j, const char *file, uint32_t line, uint32_t column,
                         uint32_t width, const char *message, const char *kernel) {
    json_object(j, NULL);
    json_object(j, "physicalLocation");
    json_object(j, "artifactLocation");
    json_text(j, "uri", is_file(file) ? file : "program.cl");
    json_end_object(j);
    if (line) {
        json_object(j, "region");
        json_integer(j, "startLine", line);
        if (column) json_integer(j, "startColumn", column);
        if (column && width) json_integer(j, "endColumn", (uint64_t)column + width);
        json_end_object(j);
    }
    json_end_object(j);
    if (kernel) {
        json_array(j, "logicalLocations");
        json_object(j, NULL);
        json_text(j, "name", kernel);
        json_text(j, "kind", "function");
        json_end_object(j);
        json_end_array(j);
    }
    if (message) put_message(j, "message", message);
    json_end_object(j);
}

static void put_related(struct json_writer *j, const struct kept_finding *f) {
    if (!f->other.line && !f->at.ncalls) return;
    json_array(j, "relatedLocations");
    if (f->other.line)
        put_location(j, f->other.file, f->other.line, f->other.column, f->other.width,
                     f->f.other.subject, NULL);
    for (uint32_t n = 0; n < f->at.ncalls; n++) {
        char text[256];
        const struct kept_call *c = &f->at.calls[n];
        snprintf(text, sizeof text, "\"%s\" is called here", c->name);
        put_location(j, c->file, c->line, c->column, 0, text, NULL);
    }
    json_end_array(j);
}

static void put_result(void *user, const struct kept_finding *f) {
    struct json_writer *j = user;
    char title[256], text[1024];
    check_title(f, title, sizeof title);
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s%s", title, f->kernel ? " in kernel \"" : "",
             f->kernel ? f->kernel : "", f->kernel ? "\"" : "",
             *f->f.object || *f->f.detail ? ": " : "", f->f.object,
             *f->f.object && *f->f.detail ? ": " : "", f->f.detail);
    json_object(j, NULL);
    json_text(j, "ruleId", check_rules[f->f.rule].name);
    json_integer(j, "ruleIndex", f->f.rule);
    json_text(j, "level", check_severity_name[f->f.severity]);
    put_message(j, "message", text);
    json_integer(j, "occurrenceCount", f->f.count);
    if (f->kernel) {
        json_array(j, "locations");
        put_location(j, f->at.file, f->at.line, f->at.column, f->at.width, NULL, f->kernel);
        json_end_array(j);
        put_related(j, f);
    }
    json_end_object(j);
}

static void put_rules(struct json_writer *j) {
    json_array(j, "rules");
    for (unsigned n = 0; n < CHECK_RULES; n++) {
        const struct check_rule_info *r = &check_rules[n];
        json_object(j, NULL);
        json_text(j, "id", r->name);
        json_text(j, "name", r->name);
        put_message(j, "shortDescription", r->text);
        put_message(j, "fullDescription", check_kind_what[r->kind]);
        json_object(j, "defaultConfiguration");
        json_text(j, "level", check_severity_name[r->severity]);
        json_end_object(j);
        json_end_object(j);
    }
    json_end_array(j);
}

void check_write_sarif(FILE *to) {
    struct json_writer j = {.to = to};
    json_object(&j, NULL);
    json_text(&j, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_text(&j, "version", "2.1.0");
    json_array(&j, "runs");
    json_object(&j, NULL);
    json_object(&j, "tool");
    json_object(&j, "driver");
    json_text(&j, "name", "simtcl");
    put_rules(&j);
    json_end_object(&j);
    json_end_object(&j);
    json_text(&j, "columnKind", "utf16CodeUnits");
    json_array(&j, "results");
    check_each(put_result, &j);
    json_end_array(&j);
    json_end_object(&j);
    json_end_array(&j);
    json_end_object(&j);
    fputc('\n', to);
}
