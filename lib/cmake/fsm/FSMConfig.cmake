# FSM::fsm is libfsm.so with the header fsm-c/fsm.h; FSM::Builder builds kernels in C++ and needs nothing else.
include(${CMAKE_CURRENT_LIST_DIR}/FSMTargets.cmake)
