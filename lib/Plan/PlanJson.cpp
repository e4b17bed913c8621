//===- PlanJson.cpp - A plan for people and tools ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One transfer of a class a line, and for each region the runs of its slots, so
// that plans can be compared by `diff` and searched by `grep`. A dimension is
// [extent, source stride, target stride].
//===----------------------------------------------------------------------===//
#include "aoa/Plan/PlanFile.h"

#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace aoa {

namespace {

/// Quotes a text for JSON. Bytes that are not UTF-8 become U+FFFD.
std::string jsonText(std::string_view text) {
  using Json = nlohmann::json;
  return Json(std::string(text))
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string hexOf(std::string_view bytes) {
  std::string hex;
  for (char byte : bytes)
    hex += fmt::format("{:02x}", static_cast<uint8_t>(byte));
  return hex;
}

template <typename Items, typename Print>
std::string joined(const Items &items, std::string_view separator,
                   Print print) {
  std::string text;
  for (const auto &item : items) {
    if (!text.empty())
      text += separator;
    text += print(item);
  }
  return text;
}

class Printer {
public:
  std::string print(const TransferPlan &plan) {
    line("{{");
    line("  \"version\": 2,");
    line("  \"source_root\": {},", jsonText(plan.sourceRoot));
    list("  ", "sources", plan.sources, true, [&](const PlanSource &source) {
      if (!source.inlined.empty())
        return fmt::format(R"({{"bytes": {}, "inlined": "{}"}})", source.bytes,
                           hexOf(source.inlined));
      return fmt::format(
          R"({{"file": {}, "bytes": {}, "fingerprint": "{:016x}"}})",
          jsonText(source.file), source.bytes, source.fingerprint);
    });
    list("  ", "element_ops", plan.elementOps, true,
         [](const ElementOps &ops) { return jsonText(format(ops)); });
    line("  \"classes\": [");
    for (size_t i = 0; i < plan.classes.size(); ++i)
      regionClass(plan.classes[i], i + 1 < plan.classes.size());
    line("  ],");
    line("  \"targets\": [");
    for (size_t i = 0; i < plan.targets.size(); ++i)
      target(plan.targets[i], i + 1 < plan.targets.size());
    line("  ],");
    line("  \"comparisons\": [");
    for (size_t i = 0; i < plan.comparisons.size(); ++i)
      comparison(plan.comparisons[i], i + 1 < plan.comparisons.size());
    line("  ],");
    list("  ", "indexes", plan.indexes, true, [&](const IndexFile &index) {
      return fmt::format(R"({{"file": {}, "text": {}}})", jsonText(index.file),
                         jsonText(index.text));
    });
    list("  ", "copies", plan.copies, true, [&](const CopiedFile &copy) {
      return fmt::format(R"({{"file": {}, "bytes": {}}})", jsonText(copy.file),
                         copy.bytes);
    });
    origin(plan.origin);
    line("}}");
    return fmt::to_string(out);
  }

private:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args &&...args) {
    fmt::format_to(std::back_inserter(out), format,
                   std::forward<Args>(args)...);
    out.push_back('\n');
  }

  /// Prints a member that is a list, one item a line.
  template <typename Items, typename Print>
  void list(std::string_view indent, std::string_view name, const Items &items,
            bool more, Print print) {
    const std::string_view comma = more ? "," : "";
    if (items.empty())
      return line("{}\"{}\": []{}", indent, name, comma);
    line("{}\"{}\": [", indent, name);
    for (size_t i = 0; i < items.size(); ++i)
      line("{}  {}{}", indent, print(items[i]),
           i + 1 < items.size() ? "," : "");
    line("{}]{}", indent, comma);
  }

  void regionClass(const RegionClass &regionClass, bool more) {
    line("    {{");
    line("      \"slots\": {},", regionClass.numSlots);
    list("      ", "transfers", regionClass.transfers, false,
         [&](const ClassTransfer &transfer) {
           const TransferForm &form = regionClass.forms[transfer.form];
           return fmt::format(
               R"({{"slot": {}, "at": {}, "ops": {}, )"
               R"("offset": {}, "dims": [{}]}})",
               transfer.slot, transfer.srcOffset, form.ops, transfer.dstOffset,
               joined(form.dims, ", ", [](const auto &dim) {
                 return fmt::format("[{}, {}, {}]", dim.extent, dim.srcStride,
                                    dim.dstStride);
               }));
         });
    line("    }}{}", more ? "," : "");
  }

  static std::string slotRun(const SlotRun &run) {
    if (run.count == 1)
      return fmt::format(R"({{"source": {}, "at_bytes": {}}})", run.source,
                         run.atBytes);
    return fmt::format(R"({{"source": {}, "at_bytes": {}, "count": {}, )"
                       R"("source_step": {}, "at_step": {}}})",
                       run.source, run.atBytes, run.count, run.sourceStep,
                       run.atStep);
  }

  void target(const TargetFile &file, bool more) {
    line("    {{");
    line("      \"file\": {},", jsonText(file.file));
    line("      \"bytes\": {},", file.bytes);
    line("      \"prefix_bytes\": {},", file.prefix.size());
    line("      \"regions\": [");
    for (size_t i = 0; i < file.regions.size(); ++i)
      region(file.regions[i], i + 1 < file.regions.size());
    line("      ]");
    line("    }}{}", more ? "," : "");
  }

  void comparison(const Comparison &comparison, bool more) {
    line("    {{");
    line("      \"reason\": {},", jsonText(comparison.reason));
    line("      \"copies\": {},", comparison.areCopies);
    line("      \"regions\": [");
    region(comparison.left, true);
    region(comparison.right, false);
    line("      ]");
    line("    }}{}", more ? "," : "");
  }

  void region(const TargetRegion &region, bool more) {
    line("        {{");
    line("          \"tensor\": {},", jsonText(region.tensor));
    line("          \"dtype\": {},", jsonText(nameOf(region.dtype)));
    line("          \"shape\": [{}],", fmt::join(region.shape, ", "));
    line("          \"at_bytes\": {},", region.atBytes);
    line("          \"size_bytes\": {},", region.sizeBytes);
    if (!region.padding.empty())
      line("          \"padding\": \"{}\",", hexOf(region.padding));
    line("          \"class\": {},", region.regionClass);
    list("          ", "slots", region.slots, false, slotRun);
    line("        }}{}", more ? "," : "");
  }

  void origin(const PlanOrigin &origin) {
    line("  \"origin\": {{");
    line("    \"script_name\": {},", jsonText(origin.scriptName));
    line("    \"script\": {},", jsonText(origin.script));
    line("    \"includes\": [{}],",
         joined(origin.includes.files, ", ",
                [](const IncludedTexts::File &file) {
                  return fmt::format(R"({{"name": {}, "text": {}}})",
                                     jsonText(file.name), jsonText(file.text));
                }));
    line("    \"include_order\": [{}],",
         fmt::join(origin.includes.order, ", "));
    line("    \"script_is_json\": {},", origin.scriptIsJson);
    line("    \"is_reversed\": {},", origin.isReversed);
    line("    \"dialect\": {},", jsonText(origin.dialect));
    line("    \"states\": {},", jsonText(origin.states));
    line("    \"source_path\": {},", jsonText(origin.sourcePath));
    line("    \"source_layout\": {},", jsonText(origin.sourceLayout));
    line("    \"target\": {},", jsonText(origin.target));
    line("    \"result_dtype\": {},", jsonText(origin.resultDType));
    line("    \"include\": [{}],", joined(origin.include, ", ", jsonText));
    line("    \"exclude\": [{}],", joined(origin.exclude, ", ", jsonText));
    line("    \"parameters\": {},", jsonText(origin.parameters));
    line("    \"version\": {}", jsonText(origin.version));
    line("  }}");
  }

  fmt::memory_buffer out;
};

} // namespace

std::string printPlanJson(const TransferPlan &plan) {
  return Printer().print(plan);
}

} // namespace aoa
