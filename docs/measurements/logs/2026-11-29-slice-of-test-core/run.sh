mkdir -p l; tar -C l -xJf lib.tar.xz
nproc; df -h . /tmp /dev/shm
export PYTHONPATH=$PWD/l/libfsm/lib/python FSM_LIBRARY=$(ls $PWD/l/libfsm/lib/libfsm.so* | head -1) HOME=$PWD
export FSM_TRITON_PYTHON=$(which python3) FSM_TRITON_TESTS=$PWD/src
T="python3 $ROOT/tools/dev/triton-tests --every=8/1 --library=$FSM_LIBRARY --package=$PYTHONPATH --jobs=15"
for d in gpu triton; do export TRITON_CACHE_DIR=$PWD/cache-$d FSM_CACHE_DIR=$PWD/fcache-$d; ( time $T --device=$d --record=$OUT/$d.jsonl ) > $OUT/$d.txt 2>&1; tail -5 $OUT/$d.txt; done
export TRITON_CACHE_DIR=/dev/shm/c FSM_CACHE_DIR=/dev/shm/f; ( time $T --device=gpu --record=$OUT/shm.jsonl ) > $OUT/shm.txt 2>&1; tail -5 $OUT/shm.txt
export TRITON_CACHE_DIR=$PWD/cache-p FSM_CACHE_DIR=$PWD/fcache-p
timeout 60 python3 prof.py "test_compare_op and 1-int8" gpu > $OUT/prof-gpu.txt 2>&1 & 
TRITON_CACHE_DIR=$PWD/cache-q timeout 60 python3 prof.py "test_compare_op and 1-int8" triton > $OUT/prof-triton.txt 2>&1; wait
grep -h TOTAL $OUT/prof-*.txt
