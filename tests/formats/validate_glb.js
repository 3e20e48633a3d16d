// The Khronos glTF validator on a file: ends in 1 if it finds an error or a warning.
const fs = require('fs');
const validator = require('gltf-validator');

validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[2]))).then((report) => {
  const {numErrors, numWarnings, messages} = report.issues;
  console.log(`${process.argv[2]}: ${numErrors} errors, ${numWarnings} warnings`);
  if (numErrors + numWarnings > 0) console.log(messages.slice(0, 10));
  process.exitCode = numErrors + numWarnings > 0 ? 1 : 0;
});
