//===- Options.td - The flags of aoac -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Every flag with a value is `--name=VALUE` or `--name VALUE`. A flag belongs to
// the commands of its visibility list (Commands.def); the others refuse it.
//===----------------------------------------------------------------------===//
include "llvm/Option/OptParser.td"

// A flag whose value names a file that is written.
def WritesFile : OptionFlag;

def ConvertVis : OptionVisibility;
def CompileVis : OptionVisibility;
def RunVis : OptionVisibility;
def CheckVis : OptionVisibility;
def ExpandVis : OptionVisibility;
def InvertVis : OptionVisibility;
def FmtVis : OptionVisibility;
def InspectVis : OptionVisibility;
def TraceVis : OptionVisibility;
def VerifyVis : OptionVisibility;
def DiffVis : OptionVisibility;
def TestVis : OptionVisibility;
def ExplainVis : OptionVisibility;
def ListVis : OptionVisibility;
def OptVis : OptionVisibility;

defvar AllCommands = [ConvertVis, CompileVis, RunVis, CheckVis, ExpandVis, InvertVis, FmtVis, InspectVis, TraceVis, VerifyVis, DiffVis, TestVis, ExplainVis, ListVis, OptVis];
defvar Scripted = [ConvertVis, CompileVis, CheckVis, ExpandVis, InvertVis];
defvar Planned = [ConvertVis, CompileVis];
defvar Running = [ConvertVis, RunVis];
// Commands that run the passes.
defvar Lowering = [ConvertVis, CompileVis, CheckVis, OptVis];

class Flag2<string name, list<OptionVisibility> vis, string help>
  : Option<["--"], name, KIND_FLAG>, Visibility<vis>, HelpText<help>;

multiclass Valued<string name, string meta, list<OptionVisibility> vis, string help> {
  def NAME : Option<["--"], name # "=", KIND_JOINED>, Visibility<vis>, HelpText<help>, MetaVarName<meta>;
  def NAME # _separate : Option<["--"], name, KIND_SEPARATE>, Visibility<vis>, Alias<!cast<Option>(NAME)>;
}

// What is converted.
defm std : Valued<"std", "aoa|paddle", !listconcat(Scripted, [FmtVis]), "The dialect of the script (default: aoa)">;
defm source : Valued<"source", "CKPT", !listconcat(Scripted, [RunVis, VerifyVis, TraceVis]), "The checkpoint that is read: a directory, a .safetensors file, or a catalog JSON">;
defm source_layout : Valued<"source-layout", "LAYOUT", !listconcat(Scripted, [InspectVis]), "Who holds what in the source's per-rank files">;
defm target : Valued<"target", "LAYOUT", !listconcat(Scripted, [OptVis]), "Who shall hold what: a layout, a catalog, a checkpoint (\"like that one\"), or full (default)">;
defm states : Valued<"states", "none|paddle|deepspeed", Scripted, "How optimizer states are named, which follow their tensors (default: none, with --std=paddle paddle)">;
def reverse : Flag2<"reverse", !listconcat(Scripted, [TraceVis]), "Read the statements from right to left, as aoa_config_reverse does; with --std=paddle">, HelpTextForVariants<[TraceVis], "Say where an element of the source goes">;

// Commands that read layouts or scripts.
defvar Parameterized = !listconcat(Scripted, [InspectVis, DiffVis, OptVis]);
def D : Option<["-"], "D", KIND_JOINED_OR_SEPARATE>, Visibility<Parameterized>, MetaVarName<"NAME=VALUE">, HelpText<"What ${NAME} stands for in scripts and layouts; the last one wins">;
defm config : Valued<"config", "FILE", Parameterized, "What ${config:…} reads (default: config.json of the source)">;
def I : Option<["-"], "I", KIND_JOINED_OR_SEPARATE>, Visibility<Scripted>, MetaVarName<"DIR">, HelpText<"Look for included files in DIR, too, and allow them to lie below it">;

// What is written.
defm dtype : Valued<"dtype", "DTYPE", Planned, "Cast floating results that no statement casts: bfloat16, BF16 or bf16">;
defm include_names : Valued<"include", "PATTERN", Planned, "Make only the results whose names fit the pattern (or one of several)">;
defm exclude_names : Valued<"exclude", "PATTERN", Planned, "Leave out the results whose names fit the pattern">;
let Flags = [WritesFile] in
defm output : Valued<"output", "DIR", [ConvertVis, RunVis, VerifyVis], "The directory of the result">;
def overwrite : Flag2<"overwrite", Running, "Replace the output when it exists">;
defm max_shard_size : Valued<"max-shard-size", "SIZE", Planned, "Largest file of a full target, in bytes or with KB MB GB KiB MiB GiB (default: 5GB)">;
defm check_replicas : Valued<"check-replicas", "auto|yes|no", Planned, "Compare stored copies of a shard (default: auto, when that reads at most a tenth more)">;
def no_side_files : Flag2<"no-side-files", Planned, "Leave the files beside the tensors (config, tokenizer)">;
let Flags = [WritesFile] in
def o : Option<["-"], "o", KIND_JOINED_OR_SEPARATE>, Visibility<[CompileVis, ExpandVis, InvertVis, FmtVis, InspectVis, OptVis]>, MetaVarName<"FILE">, HelpText<"Write to FILE instead of standard output">;
defm emit : Valued<"emit", "STAGE", [CompileVis], "tokens, ast, expanded, ir, pieces, transfers, affine-map, plan or plan-json (default: plan)">;
def boxes : Flag2<"boxes", [CompileVis], "Write an affine map in boxes of the tensor's rank, as DeepSpeed's planner takes them">;
defm max_pieces : Valued<"max-pieces", "N", !listconcat(Lowering, [InvertVis]), "Refuse more pieces than this, of all tensors together (default: 50000000)">;
let Flags = [WritesFile] in
defm stats : Valued<"stats", "FILE", Planned, "Write counts and seconds as JSON">;

// How it runs.
def dry_run : Flag2<"dry-run", [ConvertVis], "Say what would be read and written, and write nothing">;
def verify : Flag2<"verify", Running, "Read the result back and compare it with the source">;
defm memory : Valued<"memory", "SIZE", [ConvertVis, RunVis, VerifyVis, DiffVis], "Memory for all buffers (default: 256MiB)">;
defm threads : Valued<"threads", "N", [ConvertVis, RunVis, VerifyVis, DiffVis], "Threads (default: one per processor)">;
def exhaustive : Flag2<"exhaustive", [VerifyVis], "Compare with the script evaluated element by element">;

// Reports.
def provenance : Flag2<"provenance", [ExpandVis], "Say in comments where each statement came from">;
def json : Flag2<"json", [InspectVis, TraceVis], "Print the catalog as JSON">, HelpTextForVariants<[TraceVis], "Print JSON: an object for one element, a list for a range">;
def check : Flag2<"check", [FmtVis], "Only say whether the text is canonical (exit code 3 if not)">;
let Flags = [WritesFile] in
def i : Option<["-"], "i", KIND_FLAG>, Visibility<[FmtVis]>, HelpText<"Write the canonical text back into the script">;
defm left_layout : Valued<"left-layout", "LAYOUT", [DiffVis], "Who holds what in the files of A">;
defm right_layout : Valued<"right-layout", "LAYOUT", [DiffVis], "Who holds what in the files of B">;

// Rule tests.
def update : Flag2<"update", [TestVis], "Write the golden files that differ from what the tests print">;
defm filter : Valued<"filter", "REGEX", [TestVis], "Run only the tests whose names the regular expression finds">;
def j : Option<["-"], "j", KIND_JOINED_OR_SEPARATE>, Visibility<[TestVis]>, MetaVarName<"N">, HelpText<"Tests at a time (default: one per processor)">;
defm timeout : Valued<"timeout", "SECONDS", [TestVis], "A command that runs for longer is a failed test (default: 60)">;
// How tests call this program to judge an output.
let Flags = [HelpHidden] in {
def file_check : Option<["--"], "file-check=", KIND_JOINED>, Visibility<[TestVis]>, HelpText<"Check an output against the script of this name">;
def match_full_lines : Flag2<"match-full-lines", [TestVis], "Checks are whole lines">;
def check_prefix : Option<["--"], "check-prefix=", KIND_JOINED>, Visibility<[TestVis]>, HelpText<"What check lines begin with">;
def implicit_check_not : Option<["--"], "implicit-check-not=", KIND_JOINED>, Visibility<[TestVis]>, HelpText<"What stands nowhere in the output">;
}

// What is listed. A prefix more than that of the other --source, which has a value.
def list_source : Option<["--", "-"], "source", KIND_FLAG>, Visibility<[ListVis]>, HelpText<"With macros: the text in which the built-in tags are written">;

// What is traced.
defm tensor : Valued<"tensor", "NAME", [TraceVis], "The tensor of the target">;
defm source_tensor : Valued<"source-tensor", "NAME", [TraceVis], "With --reverse: the tensor of the source">;
defm at : Valued<"at", "INDEX", [TraceVis], "The element: a number for each axis (3,17), or ranges (3,0:16); empty for a scalar">;

// Passes.
defm passes : Valued<"passes", "A,B", [OptVis], "The passes to run, in order (see `aoac list passes`; default: none)">;
def print_ir_after_all : Flag2<"print-ir-after-all", Lowering, "Print the IR behind every pass, on standard error">;
defm print_ir_after : Valued<"print-ir-after", "A,B", Lowering, "Print the IR behind these passes">;
def verify_each : Flag2<"verify-each", Lowering, "Check the IR behind every pass">;
def time_report : Flag2<"time-report", Lowering, "Print seconds and pieces of every pass">;
def force_ir_round_trip : Option<["--"], "force-ir-round-trip", KIND_FLAG>, Visibility<Lowering>, Flags<[HelpHidden]>, HelpText<"Behind every pass, print the IR and go on with what is read back">;

// Diagnostics.
def strict : Flag2<"strict", Scripted, "Unused sources and unused rules are errors">;
// Commands that report diagnostics.
defvar Reporting = !listconcat(Scripted, [FmtVis, InspectVis, OptVis]);
def Werror : Option<["-"], "Werror", KIND_FLAG>, Visibility<Reporting>, HelpText<"Warnings are errors">;
def W : Option<["-"], "W", KIND_JOINED>, Visibility<Reporting>, MetaVarName<"KIND">, HelpText<"Show a warning; -Wno-KIND hides it, -Werror=KIND makes it an error, -Wno-error=KIND none (see `aoac list diagnostics`)">;
defm error_limit : Valued<"error-limit", "N", Reporting, "Show at most N errors (default: 20; 0: all)">;
defm diagnostics_format : Valued<"diagnostics-format", "text|json|sarif", AllCommands, "Report as text, or as one JSON document on standard error when the command ends (default: text)">;
defm color : Valued<"color", "auto|always|never", AllCommands, "Color diagnostics (default: auto, and never with NO_COLOR)">;

def help : Flag2<"help", AllCommands, "Show this text">;
def h : Option<["-"], "h", KIND_FLAG>, Visibility<AllCommands>, Alias<help>;
