import os

import lit.formats

config.name = "aoa-unit"
config.test_exec_root = os.path.join(config.aoa_binary_dir, "unittests")
config.test_source_root = config.test_exec_root
config.suffixes = []
config.test_format = lit.formats.GoogleTest(".", "Tests")
